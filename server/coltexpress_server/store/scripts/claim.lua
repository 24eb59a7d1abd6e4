-- Takes on the next try to deliver a notice, unless somebody was faster. The try after it is put into
-- the outbox at once, so that nothing is lost where this one ends without a word.

local OUTBOX = unpack(KEYS)
local waiting, following, delay_ms = unpack(ARGV)

if redis.call('ZREM', OUTBOX, waiting) == 0 then
  return 0
end
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
redis.call('ZADD', OUTBOX, string.format('%.0f', now + delay_ms), following)
return 1
