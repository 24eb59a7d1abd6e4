-- Takes a game that has expired out of its bucket's indexes; leaves one that exists alone. (The code
-- by which it was found has expired with it.)

local GAME, DUE, FILED, WORDS = unpack(KEYS)
local member, game_id, news = unpack(ARGV)

if redis.call('EXISTS', GAME) == 0 then
  redis.call('ZREM', DUE, member)
  for word in string.gmatch(redis.call('HGET', WORDS, game_id) or '', '%S+') do
    redis.call('ZREM', FILED, word .. ':' .. member)
    redis.pcall('PUBLISH', news .. word, game_id)
  end
  redis.call('HDEL', WORDS, game_id)
end
