-- Gives a notice up; a holder's webhook is disabled when so many in a row were given up.

local HOOKS, OUTBOX = unpack(KEYS)
local waiting, holder, most = unpack(ARGV)

if redis.call('ZREM', OUTBOX, waiting) == 1 and redis.call('HEXISTS', HOOKS, holder) == 1 then
  if redis.call('HINCRBY', HOOKS, holder .. '.failures', 1) >= tonumber(most) then
    redis.call('HSET', HOOKS, holder .. '.disabled', redis.call('HGET', HOOKS, holder))
    redis.call('HDEL', HOOKS, holder)
  end
end
return 0
