-- Counts a thing against a limit for things within a time. The same thing again counts once; one too
-- many is not counted, and the reply says in how many milliseconds there is room.

local COUNTED = KEYS[1]
local thing, most, window_ms = unpack(ARGV)

local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
local since = string.format('(%.0f', now - window_ms)

local before = redis.call('ZSCORE', COUNTED, thing)
if not before or tonumber(before) <= now - window_ms then
  local excess = redis.call('ZCOUNT', COUNTED, since, '+inf') - most
  if excess >= 0 then
    local next_out =
      redis.call('ZRANGEBYSCORE', COUNTED, since, '+inf', 'WITHSCORES', 'LIMIT', excess, 1)
    return next_out[2] + window_ms - now
  end
  redis.call('ZADD', COUNTED, now, thing)
  redis.call('ZREMRANGEBYSCORE', COUNTED, '-inf', string.format('%.0f', now - window_ms))
  redis.call('PEXPIRE', COUNTED, window_ms)
end
return 0
