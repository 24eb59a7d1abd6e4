-- Takes a game that has expired out of its bucket's indexes; leaves one that exists alone.

local GAME, LISTED, DUE = unpack(KEYS)
local game_id, list_member = unpack(ARGV)

if redis.call('EXISTS', GAME) == 1 then
  return 0
end
return redis.call('ZREM', LISTED, list_member) + redis.call('ZREM', DUE, game_id)
