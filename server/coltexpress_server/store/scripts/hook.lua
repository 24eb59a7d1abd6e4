-- Sets or removes a holder's webhook in a game, once for each request.

local GAME, HOOKS = unpack(KEYS)
local holder, hook, request_key, request_digest = unpack(ARGV)

local ttl_ms = redis.call('PTTL', GAME)
if ttl_ms <= 0 then
  return {'missing'}
end
local remembered = redis.call('HGET', HOOKS, 'request.' .. request_key)
if remembered then
  return {'repeated', remembered}
end
redis.call('HSET', HOOKS, 'request.' .. request_key, request_digest)
redis.call('HDEL', HOOKS, holder, holder .. '.disabled', holder .. '.failures')
if hook ~= '' then
  redis.call('HSET', HOOKS, holder, hook)
end
redis.call('PEXPIRE', HOOKS, ttl_ms)
return {'set'}
