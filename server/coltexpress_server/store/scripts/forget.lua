-- Takes a game that has expired out of its bucket's indexes; leaves one that exists alone.

local GAME, LISTED, DUE = unpack(KEYS)
local member = unpack(ARGV)

if redis.call('EXISTS', GAME) == 0 then
  redis.call('ZREM', LISTED, member)
  redis.call('ZREM', DUE, member)
end
