-- Applies one commit to one game, or refuses it and changes nothing.
--
-- Scripts do not roll back. So everything that can fail is tried first: each key is read with a
-- command that fails on a key of another type, each argument is checked; and the first write is the
-- one that a full, read-only or failing server refuses. Nothing after it can fail.

local GAME, REQUESTS, ENTRIES, CODE, DUE, FILED, WORDS, HOOKS, OUTBOX = unpack(KEYS)
local game_id, expected_version, expected_mark, mark, state, summary, payload, request_key,
  request_digest, ttl_ms, due_ms, due_in_ms, not_after, not_before, channel, words, told, news,
  notices, notice_delay_ms = unpack(ARGV)

local optional = {due_ms = true, due_in_ms = true, not_after = true, not_before = true}

local function decimal(number)
  return string.format('%.0f', number)
end

local function entry_of(version)
  local found = redis.call('XRANGE', ENTRIES, version .. '-0', version .. '-0')[1]
  return found and found[2]
end

-- 0. Arguments that could make a command fail.
for name, text in pairs({expected_version = expected_version, ttl_ms = ttl_ms, due_ms = due_ms,
    due_in_ms = due_in_ms, not_after = not_after, not_before = not_before,
    notice_delay_ms = notice_delay_ms}) do
  if not (string.match(text, '^%d+$') and #text <= 15) and not (optional[name] and text == '') then
    return redis.error_reply('ERR ' .. name .. ' is not a whole number')
  end
end
if tonumber(ttl_ms) == 0 then
  return redis.error_reply('ERR ttl_ms is zero')
end
expected_version = tonumber(expected_version)

local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)

-- 1. A request that was carried out before is answered as it was then, whatever has come since.
if request_key ~= '' then
  local remembered = redis.call('HGET', REQUESTS, request_key)
  if remembered then
    local version, digest = string.match(remembered, '^(%d+):(.*)$')
    local entry = entry_of(version)
    if not entry then
      return {'missing', digest}
    end
    if entry[2] == mark then
      return {'committed', tonumber(version), mark, tonumber(entry[6]), {}}
    end
    return {'repeated', digest, version, entry}
  end
end

-- 2. The game must be where the caller thinks it is.
local game = redis.call('HMGET', GAME, 'version', 'mark', 'created')
local version = tonumber(game[1] or 0)
if version ~= expected_version or (game[2] or '') ~= expected_mark then
  local entry = version > expected_version and entry_of(decimal(expected_version + 1))
  if entry and entry[2] == mark then
    -- This very commit, sent again because its answer was lost.
    return {'committed', expected_version + 1, mark, tonumber(entry[6]), {}}
  end
  if version == 0 then
    return {'missing', false}
  end
  local content = redis.call('HMGET', GAME, 'state', 'summary', 'created', 'updated')
  return {'conflict', version, game[2], unpack(content)}
end

-- 3. It must be in time.
if not_after ~= '' and now > tonumber(not_after) then
  return {'late', now}
end
if not_before ~= '' and now < tonumber(not_before) then
  return {'early', now}
end

-- 4. A new game needs a code of its own.
local found_by_code = redis.call('GET', CODE)
if version == 0 and found_by_code and found_by_code ~= game_id then
  return {'taken'}
end

-- 5. What else could make a write fail: a key of another type, a history that ends elsewhere.
local entries = redis.call('XLEN', ENTRIES)
local requests = redis.call('HLEN', REQUESTS)
redis.call('ZCARD', DUE)
redis.call('ZCARD', FILED)
local words_before = redis.call('HGET', WORDS, game_id) or ''
redis.call('ZCARD', OUTBOX)
redis.call('HLEN', HOOKS)
-- What is to be told to those holders who want to be told.
local wanted = {}
for holder, event in string.gmatch(notices, '(%S+) (%S+)') do
  if redis.call('HEXISTS', HOOKS, holder) == 1 then
    wanted[#wanted + 1] = holder .. ':' .. event
  end
end
if version > 0 and entries ~= version then
  return redis.error_reply('DAMAGED the history of a game has not one entry a version')
end

-- Or a user who may not run it. (Whether he may use the keys is asked of all of them at the start.
-- Servers before 7.0 cannot be asked: see Store.check_server.)
if redis.acl_check_cmd then
  for _, command in ipairs({{'UNLINK', ENTRIES}, {'XADD', ENTRIES, '*', '', ''},
      {'HSET', GAME, '', ''}, {'ZADD', DUE, 0, ''}, {'ZREM', DUE, ''}, {'PEXPIRE', GAME, 1},
      {'SET', CODE, '', 'PX', 1}}) do
    if not redis.acl_check_cmd(unpack(command)) then
      return redis.error_reply('NOPERM this user may not run ' .. command[1])
    end
  end
end

-- 6. The writes. None may fail after the first.
if version == 0 and entries + requests > 0 then
  -- What an earlier game of this id left behind.
  redis.call('UNLINK', ENTRIES, REQUESTS, HOOKS)
end
local next_version = decimal(version + 1)
local created = game[3] or string.format('%014.0f', now)
local member = created .. ':' .. game_id
-- Every game needs attention once more when it has expired: the indexes are to forget it then.
local expires = now + tonumber(ttl_ms)
local due = math.min(tonumber(due_ms) or expires, now + (tonumber(due_in_ms) or ttl_ms), expires)
redis.call('XADD', ENTRIES, next_version .. '-0',
  'mark', mark, 'previous', expected_mark, 'time', decimal(now), 'payload', payload)
redis.call('HSET', GAME, 'version', next_version, 'mark', mark, 'state', state,
  'summary', summary, 'created', created, 'updated', decimal(now))
if request_key ~= '' then
  redis.call('HSET', REQUESTS, request_key, next_version .. ':' .. request_digest)
end
redis.call('ZADD', DUE, decimal(due), member)
if words ~= words_before then
  for word in string.gmatch(words_before, '%S+') do
    redis.call('ZREM', FILED, word .. ':' .. member)
  end
  for word in string.gmatch(words, '%S+') do
    redis.call('ZADD', FILED, 0, word .. ':' .. member)
  end
  redis.call('HSET', WORDS, game_id, words)
end
for _, notice in ipairs(wanted) do
  redis.call('ZADD', OUTBOX, decimal(now + notice_delay_ms), game_id .. ':' .. notice .. ':1')
end
redis.call('PEXPIRE', GAME, ttl_ms)
redis.call('PEXPIRE', HOOKS, ttl_ms)
redis.call('PEXPIRE', ENTRIES, ttl_ms)
redis.call('PEXPIRE', REQUESTS, ttl_ms)
if not found_by_code or found_by_code == game_id then
  redis.call('SET', CODE, game_id, 'PX', ttl_ms)
end
-- Only hints, so their failure (a user without rights to the channel) is none of the commit's.
redis.pcall('PUBLISH', channel, next_version .. '-' .. mark)
for word in string.gmatch(told, '%S+') do
  redis.pcall('PUBLISH', news .. word, game_id)
end
if words ~= words_before then
  for word in string.gmatch(words_before, '%S+') do
    if not string.find(' ' .. told .. ' ', ' ' .. word .. ' ', 1, true) then
      redis.pcall('PUBLISH', news .. word, game_id)
    end
  end
end
return {'committed', version + 1, mark, now, wanted}
