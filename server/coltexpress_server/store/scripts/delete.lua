-- Deletes one game. Its memory of requests stays for a while and learns of this one, so that a
-- request sent again is told from one that was never carried out.

local GAME, REQUESTS, ENTRIES, CODE, DUE, FILED, WORDS, HOOKS = unpack(KEYS)
local game_id, expected_version, expected_mark, request_key, request_digest, memory_ms, channel, news =
  unpack(ARGV)

local game = redis.call('HMGET', GAME, 'version', 'mark', 'created')
if not game[1] then
  local remembered = request_key ~= '' and redis.call('HGET', REQUESTS, request_key)
  return {'missing', remembered and string.match(remembered, '^%d+:(.*)$') or false}
end
if expected_version ~= '' and (game[1] ~= expected_version or game[2] ~= expected_mark) then
  local content = redis.call('HMGET', GAME, 'state', 'summary', 'created', 'updated')
  return {'conflict', tonumber(game[1]), game[2], unpack(content)}
end

-- Nothing after the first write may fail (see commit.lua).
if not string.match(memory_ms, '^[1-9]%d*$') or #memory_ms > 15 then
  return redis.error_reply('ERR memory_ms is not a whole number above zero')
end
redis.call('HLEN', REQUESTS)
local found_by_code = redis.call('GET', CODE)
redis.call('ZCARD', DUE)
redis.call('ZCARD', FILED)
local words = redis.call('HGET', WORDS, game_id) or ''

if redis.acl_check_cmd then
  for _, command in ipairs({{'HSET', REQUESTS, '', ''}, {'UNLINK', GAME}, {'ZREM', DUE, ''},
      {'PEXPIRE', REQUESTS, 1}, {'HDEL', WORDS, ''}}) do
    if not redis.acl_check_cmd(unpack(command)) then
      return redis.error_reply('NOPERM this user may not run ' .. command[1])
    end
  end
end

if request_key ~= '' then
  redis.call('HSET', REQUESTS, request_key, game[1] .. ':' .. request_digest)
end
redis.call('UNLINK', GAME, ENTRIES, HOOKS)
if found_by_code == game_id then
  redis.call('UNLINK', CODE)
end
redis.call('PEXPIRE', REQUESTS, memory_ms)
redis.call('ZREM', DUE, game[3] .. ':' .. game_id)
for word in string.gmatch(words, '%S+') do
  redis.call('ZREM', FILED, word .. ':' .. game[3] .. ':' .. game_id)
end
redis.call('HDEL', WORDS, game_id)
redis.pcall('PUBLISH', channel, 'deleted')
for word in string.gmatch(words, '%S+') do
  redis.pcall('PUBLISH', news .. word, game_id)
end
return {'deleted'}
