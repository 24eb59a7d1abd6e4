-- Corrects when a game needs attention, where it is still the game that was looked at.

local GAME, DUE = unpack(KEYS)
local member, version, mark, due_ms = unpack(ARGV)

local place = redis.call('HMGET', GAME, 'version', 'mark')
if place[1] ~= version or place[2] ~= mark then
  return 0
end
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
-- As in commit.lua: once more when it has expired.
local expires = now + redis.call('PTTL', GAME)
redis.call('ZADD', DUE, string.format('%.0f', math.min(tonumber(due_ms) or expires, expires)), member)
return 1
