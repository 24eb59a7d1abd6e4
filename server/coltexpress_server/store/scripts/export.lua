-- Reads all that is stored of one game, at one moment.

local GAME, REQUESTS, ENTRIES = unpack(KEYS)

return {redis.call('HGETALL', GAME), redis.call('HGETALL', REQUESTS),
  redis.call('XRANGE', ENTRIES, '-', '+'), redis.call('PTTL', GAME)}
