-- Reads one game, leaving out the state that the caller already has, and says whether a request was
-- carried out before.

local GAME, REQUESTS, ENTRIES = unpack(KEYS)
local known_version, known_mark, request_key = unpack(ARGV)

local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)

local digest, entry = false, false
if request_key ~= '' then
  local remembered = redis.call('HGET', REQUESTS, request_key)
  if remembered then
    local version
    version, digest = string.match(remembered, '^(%d+):(.*)$')
    local found = redis.call('XRANGE', ENTRIES, version .. '-0', version .. '-0')[1]
    entry = found and {version, found[2]} or false
  end
end

local place = redis.call('HMGET', GAME, 'version', 'mark')
if not place[1] then
  return {'missing', digest}
end
if place[1] == known_version and place[2] == known_mark then
  return {'same', now, tonumber(place[1]), place[2], digest, entry}
end
local content = redis.call('HMGET', GAME, 'state', 'summary', 'created', 'updated')
return {'loaded', now, tonumber(place[1]), place[2], digest, entry, unpack(content)}
