-- Asks a lurecheck service about a mail as a whole, which is sent to it with its most important links, then about every
-- other http and https link, 100 in one request, and sets symbols by its answers. If there is no answer in time, or a link
-- was left out, the mail goes on with LURECHECK_FAIL, whose score is 0. Options of symbols are hosts and codes of reasons,
-- never URLs or text: rspamd shows them in its log, its web page and mail headers. Manual: lurecheck help drop-in
--
-- rspamd.conf.local:
--   lurecheck { url = "http://127.0.0.1:8080"; key = "lck_..."; timeout = 3s; }
-- rspamd.local.lua:
--   dofile("/usr/share/doc/lurecheck/rspamd/lurecheck.lua")

local http = require "rspamd_http"
local logger = require "rspamd_logger"
local ucl = require "ucl"

-- The service takes a mail of at most 2 MiB, and at most 100 URLs per request, each of at most 8,192 characters. Beyond
-- 1,000, links are left out; rspamd itself passes on at most 1,024 (max_lua_urls).
local MAX_MAIL_BYTES, MAX_URLS, MAX_LENGTH, MAX_LINKS = 2 * 1024 * 1024, 100, 8192, 1000

-- Codes of reasons that a symbol of the mail has as options.
local MAX_REASONS = 3

local SCORES = {
  LURECHECK_BLOCK = 8.0, LURECHECK_WARN = 2.0, LURECHECK_FAIL = 0.0,
  LURECHECK_MESSAGE_BLOCK = 8.0, LURECHECK_MESSAGE_WARN = 2.0,
}
local SYMBOLS = { block = 'LURECHECK_BLOCK', warn = 'LURECHECK_WARN' }
local MESSAGE_SYMBOLS = { block = 'LURECHECK_MESSAGE_BLOCK', warn = 'LURECHECK_MESSAGE_WARN' }

local settings = { timeout = 3.0, visit = false }
local options = rspamd_config:get_all_opt('lurecheck')
if not (options and options.url) then
  logger.infox(rspamd_config, 'lurecheck: url is not set, no mail is checked')
  return
end
for name, value in pairs(options) do settings[name] = value end
local service = settings.url:gsub('/+$', '')

-- The links as the mail has them but for those that are answered, each once, in groups for one request; and how many are
-- left out.
local function links_of(task, answered)
  local seen, count, groups, left_out = {}, 0, {}, 0
  for _, url in ipairs(task:get_urls({ 'http', 'https' }) or {}) do
    local text = url:get_raw()
    if not text:lower():find('^https?://') then text = url:get_text() end
    if not seen[text] then
      seen[text] = true
      count = count + 1
      if not answered[text] and (#text > MAX_LENGTH or count > MAX_LINKS) then
        left_out = left_out + 1
      elseif not answered[text] then
        if #groups == 0 or #groups[#groups] == MAX_URLS then groups[#groups + 1] = {} end
        table.insert(groups[#groups], { url = text, visit = settings.visit })
      end
    end
  end
  return groups, left_out
end

-- The host of a URL, without the name and password of a user.
local function host_of(url)
  local authority = url:gsub('^%a+://', ''):match('^[^/?#\\]*')
  return (authority:gsub('^.*@', ''))
end

local function fail(task, why)
  logger.infox(task, 'lurecheck: not all links are checked: %s', why)
  task:insert_result('LURECHECK_FAIL', 0.0, 'unexamined: ' .. why)
end

-- Sets the symbols of links, each once per host of a mail; returns the highest score among them.
local function set_symbols(task, items, told)
  local highest = 0.0
  for _, item in ipairs(items) do
    local symbol = SYMBOLS[item.decision]
    local option = symbol and host_of(item.url) or item.problem and 'unexamined: ' .. item.problem.code
    symbol = symbol or item.problem and 'LURECHECK_FAIL'
    if symbol then highest = math.max(highest, SCORES[symbol]) end
    if symbol and not told[symbol .. option] then
      told[symbol .. option] = true
      task:insert_result(symbol, symbol == 'LURECHECK_FAIL' and 0.0 or 1.0, option)
    end
  end
  return highest
end

-- Sets the symbol of the mail. It adds to the score only by what it exceeds its links, since they are part of its verdict.
local function set_message_symbol(task, answer, highest)
  local symbol = MESSAGE_SYMBOLS[answer.decision]
  if not symbol then return answer.is_whole or fail(task, 'the mail was not read whole') end
  local codes = {}
  for _, reason in ipairs(answer.reasons or {}) do
    if reason.weight > 0 and #codes < MAX_REASONS then codes[#codes + 1] = reason.code end
  end
  local weight = math.max(0.0, 1.0 - highest / SCORES[symbol])
  task:insert_result(symbol, weight, codes)
end

-- Sends a request, and calls `told` with its answer, or `failed` with the reason why there is none.
local function ask(task, path, mime_type, body, told, failed)
  http.request({
    task = task,
    url = service .. path,
    method = 'POST',
    mime_type = mime_type,
    headers = { Accept = 'application/json', Authorization = settings.key and ('Bearer ' .. settings.key) or nil },
    body = body,
    timeout = settings.timeout,
    callback = function(err, code, answer)
      if err or code ~= 200 then return failed(err or ('HTTP ' .. tostring(code))) end
      local parser = ucl.parser()
      if not parser:parse_string(answer) then return failed('not JSON') end
      told(parser:get_object())
    end,
  })
end

local function check_links(task, answered, told)
  local failed = function(why) fail(task, why) end
  local groups, left_out = links_of(task, answered)
  for _, urls in ipairs(groups) do
    local body = ucl.to_format({ urls = urls, private_mode = true }, 'json-compact')
    ask(task, '/api/check-urls', 'application/json', body, function(answer) set_symbols(task, answer.items or {}, told) end, failed)
  end
  if left_out > 0 then fail(task, left_out .. ' links left out') end
end

local function check(task)
  local told = {}
  if task:get_size() > MAX_MAIL_BYTES then
    fail(task, 'the mail is larger than 2 MiB')
    return check_links(task, {}, told)
  end
  local path = '/api/check-message' .. (settings.visit and '' or '?visit=false')
  ask(task, path, 'message/rfc822', task:get_content(), function(answer)
    local answered = {}
    for _, link in ipairs(answer.links or {}) do answered[link.url] = SYMBOLS[link.decision] or link.decision == 'allow' end
    set_message_symbol(task, answer, set_symbols(task, answer.links or {}, told))
    check_links(task, answered, told)
  end, function(why)
    fail(task, why)
    check_links(task, {}, told)
  end)
end

local id = rspamd_config:register_symbol({ name = 'LURECHECK', type = 'callback', callback = check })
for symbol, score in pairs(SCORES) do
  rspamd_config:register_symbol({ name = symbol, type = 'virtual', parent = id })
  rspamd_config:set_metric_symbol({ name = symbol, score = score, group = 'lurecheck', one_shot = true })
end
