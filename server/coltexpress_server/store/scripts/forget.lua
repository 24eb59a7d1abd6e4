-- Takes a game that has expired out of its bucket's indexes; leaves one that exists alone. (The code
-- by which it was found has expired with it.)

local GAME, REQUESTS, ENTRIES, CODE, DUE = unpack(KEYS)
local member = unpack(ARGV)

if redis.call('EXISTS', GAME) == 0 then
  redis.call('ZREM', DUE, member)
  for number = 6, #KEYS do
    redis.call('ZREM', KEYS[number], member)
  end
end
