-- Asks a lurecheck service for every http and https link of a mail, 100 in one request, and sets symbols by its answers.
-- If there is no answer in time, or a link was left out, the mail goes on with LURECHECK_FAIL, whose score is 0. Options
-- of symbols are hosts, never URLs: rspamd shows them in its log, its web page and mail headers. Manual: lurecheck help drop-in
--
-- rspamd.conf.local:
--   lurecheck { url = "http://127.0.0.1:8080"; key = "lck_..."; timeout = 3s; }
-- rspamd.local.lua:
--   dofile("/usr/share/doc/lurecheck/rspamd/lurecheck.lua")

local http = require "rspamd_http"
local logger = require "rspamd_logger"
local ucl = require "ucl"

-- The service takes at most 100 URLs per request, each of at most 8,192 characters. Beyond 10 requests, links are left
-- out; rspamd itself passes on at most 1,024 (max_lua_urls).
local MAX_URLS, MAX_LENGTH, MAX_REQUESTS = 100, 8192, 10

local SCORES = { LURECHECK_BLOCK = 8.0, LURECHECK_WARN = 2.0, LURECHECK_FAIL = 0.0 }
local SYMBOLS = { block = 'LURECHECK_BLOCK', warn = 'LURECHECK_WARN' }

local settings = { timeout = 3.0, visit = false }
local options = rspamd_config:get_all_opt('lurecheck')
if not (options and options.url) then
  logger.infox(rspamd_config, 'lurecheck: url is not set, no mail is checked')
  return
end
for name, value in pairs(options) do settings[name] = value end
local address = settings.url:gsub('/+$', '') .. '/api/check-urls'

-- The links as the mail has them, each once, in groups for one request; and how many are left out.
local function links_of(task)
  local seen, groups, left_out = {}, {}, 0
  for _, url in ipairs(task:get_urls({ 'http', 'https' }) or {}) do
    local text = url:get_raw()
    if not text:lower():find('^https?://') then text = url:get_text() end
    if not seen[text] then
      seen[text] = true
      local group = groups[#groups]
      if not group or #group == MAX_URLS then group = {} end
      if #text > MAX_LENGTH or (#group == 0 and #groups == MAX_REQUESTS) then
        left_out = left_out + 1
      else
        if #group == 0 then groups[#groups + 1] = group end
        group[#group + 1] = { url = text, visit = settings.visit }
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

local function set_symbols(task, answer)
  local parser = ucl.parser()
  if not parser:parse_string(answer) then return fail(task, 'not JSON') end
  local told = {}
  for _, item in ipairs(parser:get_object().items or {}) do
    local symbol = SYMBOLS[item.decision]
    local option = symbol and host_of(item.url) or item.problem and 'unexamined: ' .. item.problem.code
    symbol = symbol or item.problem and 'LURECHECK_FAIL'
    if symbol and not told[symbol .. option] then
      told[symbol .. option] = true
      task:insert_result(symbol, symbol == 'LURECHECK_FAIL' and 0.0 or 1.0, option)
    end
  end
end

local function ask(task, urls)
  http.request({
    task = task,
    url = address,
    method = 'POST',
    mime_type = 'application/json',
    headers = { Accept = 'application/json', Authorization = settings.key and ('Bearer ' .. settings.key) or nil },
    body = ucl.to_format({ urls = urls, private_mode = true }, 'json-compact'),
    timeout = settings.timeout,
    callback = function(err, code, answer)
      if err or code ~= 200 then return fail(task, err or ('HTTP ' .. tostring(code))) end
      set_symbols(task, answer)
    end,
  })
end

local function check(task)
  local groups, left_out = links_of(task)
  for _, urls in ipairs(groups) do ask(task, urls) end
  if left_out > 0 then fail(task, left_out .. ' links left out') end
end

local id = rspamd_config:register_symbol({ name = 'LURECHECK', type = 'callback', callback = check })
for symbol, score in pairs(SCORES) do
  rspamd_config:register_symbol({ name = symbol, type = 'virtual', parent = id })
  rspamd_config:set_metric_symbol({ name = symbol, score = score, group = 'lurecheck', one_shot = true })
end
