-- REST at the edge, where Envoy's transcoder differs from the service's own (docs/HTTP.md): errors
-- have the form of AIP-193, with the status of HTTP in them, answers are nobody else's, and a caller
-- may limit the time.

-- The codes of gRPC by number: name and status of HTTP.
local CODES = {
  [1] = {"CANCELLED", 499}, [2] = {"UNKNOWN", 500}, [3] = {"INVALID_ARGUMENT", 400},
  [4] = {"DEADLINE_EXCEEDED", 504}, [5] = {"NOT_FOUND", 404}, [6] = {"ALREADY_EXISTS", 409},
  [7] = {"PERMISSION_DENIED", 403}, [8] = {"RESOURCE_EXHAUSTED", 429},
  [9] = {"FAILED_PRECONDITION", 400}, [10] = {"ABORTED", 409}, [11] = {"OUT_OF_RANGE", 400},
  [12] = {"UNIMPLEMENTED", 501}, [13] = {"INTERNAL", 500}, [14] = {"UNAVAILABLE", 503},
  [15] = {"DATA_LOSS", 500}, [16] = {"UNAUTHENTICATED", 401},
}

-- What is answered belongs to one caller at one moment, is no page, and is what it says it is.
local HEADERS = {
  ["cache-control"] = "no-store",
  ["content-security-policy"] = "default-src 'none'; frame-ancestors 'none'",
  ["referrer-policy"] = "no-referrer",
  ["x-content-type-options"] = "nosniff",
}

function envoy_on_request(handle)
  local headers = handle:headers()
  local seconds = tonumber(headers:get("x-server-timeout") or "")
  if seconds and seconds > 0 and seconds < 1e5 and not headers:get("grpc-timeout") then
    headers:add("grpc-timeout", string.format("%dm", math.max(1, math.floor(seconds * 1000))))
  end
  local game = headers:get(":path"):match("^/v1/(games/%w+)")
  if game then
    headers:replace("x-game", game)
  end
end

function envoy_on_response(handle)
  local headers = handle:headers()
  local status = tonumber(headers:get(":status"))
  local kind = headers:get("content-type") or ""
  if kind:sub(1, 16) ~= "application/json" then
    return
  end
  for name, value in pairs(HEADERS) do
    if not headers:get(name) then
      headers:add(name, value)
    end
  end
  if status < 400 then
    return
  end
  local buffer = handle:body()
  if not buffer then
    return
  end
  local text = buffer:getBytes(0, buffer:length())
  -- A google.rpc.Status as the transcoder writes it; the service's own begins with "error".
  local number, rest = text:match('^{"code":(%d+)(.*)}$')
  local found = CODES[tonumber(number)]
  if not found then
    return
  end
  local name, code = found[1], found[2]
  -- Waiting for the body has made the earlier ones invalid.
  headers = handle:headers()
  if not rest:match('^,"message":') then
    rest = ',"message":""' .. rest
  end
  rest = rest:gsub(',"metadata":{}', "")
  local body = string.format('{"error":{"code":%d,"status":"%s"%s}}', code, name, rest)
  buffer:setBytes(body)
  headers:replace(":status", tostring(code))
  headers:replace("content-length", tostring(#body))
  if code == 401 then
    headers:replace("www-authenticate", 'Bearer realm="coltexpress"')
  end
  local delay = tonumber(rest:match('"retryDelay":"([%d.]+)s"'))
  if delay then
    headers:replace("retry-after", tostring(math.ceil(delay)))
  end
end
