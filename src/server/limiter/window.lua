-- Takes a place in the window of each of KEYS, or in none of them.
-- ARGV: the span of a window in milliseconds, then for each key how many places it has.
-- Answers with 1 where they were taken and 0 where not, then for each key how many were taken before, and how many
-- milliseconds remain until the first of those comes free.
--
-- A window is the times of its places, oldest first, each a big-endian number of six bytes: milliseconds since 1970. The
-- time is this server's, so that no node's clock has a say; where it runs backwards, it stands still.
local span = tonumber(ARGV[1])
local time = redis.call('TIME')
local clock = time[1] * 1000 + math.floor(time[2] / 1000)
local now = clock
local windows = {}
for k, key in ipairs(KEYS) do
  local times = redis.call('GET', key) or ''
  if #times > 0 then
    local newest = struct.unpack('>I6', times, #times - 5)
    -- What lies ahead by more than a window was taken before the clock was set back.
    if newest > clock + span then times = '' elseif newest > now then now = newest end
  end
  windows[k] = times
end
local isFree = 1
local answer = {}
for k, times in ipairs(windows) do
  local first = 1
  while first <= #times and struct.unpack('>I6', times, first) <= now - span do first = first + 6 end
  times = string.sub(times, first)
  windows[k] = times
  local taken = #times / 6
  local oldest = taken > 0 and struct.unpack('>I6', times, 1) or now
  if taken >= tonumber(ARGV[k + 1]) then isFree = 0 end
  answer[2 * k - 1], answer[2 * k] = taken, oldest + span - now
end
if isFree == 1 then
  for k, times in ipairs(windows) do
    redis.call('SET', KEYS[k], times .. struct.pack('>I6', now), 'PX', now + span - clock)
  end
end
return {isFree, unpack(answer)}
