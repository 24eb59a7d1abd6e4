-- Reads a stretch of a game's history together with the point at which the game is now.

local GAME, ENTRIES = unpack(KEYS)
local first, limit = unpack(ARGV)

local place = redis.call('HMGET', GAME, 'version', 'mark')
if not place[1] then
  return {'missing', false}
end
return {'history', tonumber(place[1]), place[2],
  redis.call('XRANGE', ENTRIES, first .. '-0', '+', 'COUNT', limit)}
