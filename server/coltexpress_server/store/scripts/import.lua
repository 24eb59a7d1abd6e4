-- Puts a game there as it was exported, or refuses to and changes nothing.

local GAME, REQUESTS, ENTRIES, CODE, DUE, FILED, WORDS = unpack(KEYS)
local game_id, words, ttl_ms, fields, requests, entries = unpack(ARGV)
local rest = {unpack(ARGV, 7, 6 + fields)}

local place = redis.call('HMGET', GAME, 'version', 'mark')
if place[1] then
  return {'exists', tonumber(place[1]), place[2]}
end
local found_by_code = redis.call('GET', CODE)
if found_by_code and found_by_code ~= game_id then
  return {'taken'}
end
redis.call('ZCARD', DUE)
redis.call('ZCARD', FILED)
redis.call('HGET', WORDS, game_id)

-- The first write is one that a full or read-only server refuses; see commit.lua.
redis.call('HSET', GAME, unpack(rest))
redis.call('UNLINK', ENTRIES, REQUESTS)
local at = 7 + fields
for _ = 1, requests do
  redis.call('HSET', REQUESTS, ARGV[at], ARGV[at + 1])
  at = at + 2
end
for _ = 1, entries do
  redis.call('XADD', ENTRIES, ARGV[at], 'mark', ARGV[at + 1], 'previous', ARGV[at + 2],
    'time', ARGV[at + 3], 'payload', ARGV[at + 4])
  at = at + 5
end
local member = redis.call('HGET', GAME, 'created') .. ':' .. game_id
-- Due at once: whoever looks after it finds out when it really is.
redis.call('ZADD', DUE, 0, member)
for word in string.gmatch(words, '%S+') do
  redis.call('ZADD', FILED, 0, word .. ':' .. member)
end
redis.call('HSET', WORDS, game_id, words)
redis.call('SET', CODE, game_id, 'PX', ttl_ms)
for _, key in ipairs({GAME, ENTRIES, REQUESTS}) do
  redis.call('PEXPIRE', key, ttl_ms)
end
return {'imported'}
