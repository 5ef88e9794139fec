-- Takes places in the window of each of KEYS: as many as each has free, up to the number asked for, or none.
-- ARGV: the span of a window in milliseconds, the number of places asked for, the largest limit that is counted exactly,
-- then for each key how many places it has.
-- Returns how many places were taken, then for each key how many were taken before, and the milliseconds until the first of
-- those comes free.
--
-- Up to the exact limit, a window is the times of its places, oldest first, each a big-endian number of six bytes:
-- milliseconds since 1970. A call costs as much as there are places. Above it, a window is a row of counts, each of a
-- hundredth of the span, and a count leaves when all of it is older than the span: never are more places taken than the
-- limit in any span, and a place comes free at most one hundredth of the span late. The row stands behind the number of its
-- newest count, under a key of its own.
--
-- The time is this server's, so that no node's clock has a say; where it runs backwards, it stands still.
local span, asked, exact = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local clock = time[1] * 1000 + math.floor(time[2] / 1000)
local COUNTS = 101
local width = span / (COUNTS - 1)
local now = clock
local windows = {}
local taken = asked
local answer = {}

local function limitOf(k) return tonumber(ARGV[3 + k]) end

-- What lies ahead by more than a window was taken before the clock was set back.
local function stand(newest)
  if newest > clock + span then return false end
  if newest > now then now = newest end
  return true
end

for k, key in ipairs(KEYS) do
  if limitOf(k) > exact then
    local row = redis.call('GET', key .. ':c') or ''
    if #row > 0 and not stand(struct.unpack('>I8', row) * width) then row = '' end
    windows[k] = row
  else
    local times = redis.call('GET', key) or ''
    if #times > 0 and not stand(struct.unpack('>I6', times, #times - 5)) then times = '' end
    windows[k] = times
  end
end

local slot = math.floor(now / width)

-- Moves a row on to the slot of now: as many of the oldest counts leave as slots have begun since.
local function movedOn(row)
  local passed = #row == 0 and COUNTS or slot - struct.unpack('>I8', row)
  if passed >= COUNTS then return string.rep('\0', 4 * COUNTS) end
  return string.sub(row, 9 + 4 * passed) .. string.rep('\0', 4 * passed)
end

-- The sum of the counts of a row, and when the first of them that is not zero leaves.
local function sumOf(counts)
  local numbers = {struct.unpack('>' .. string.rep('I4', COUNTS), counts)}
  local sum, first = 0, nil
  for n = 1, COUNTS do
    sum = sum + numbers[n]
    if not first and numbers[n] > 0 then first = n end
  end
  return sum, first and math.ceil((slot + first) * width - now) or span
end

for k, window in ipairs(windows) do
  local count, freeIn = 0, span
  if limitOf(k) > exact then
    local counts = movedOn(window)
    windows[k] = counts
    count, freeIn = sumOf(counts)
  else
    local first = 1
    while first <= #window and struct.unpack('>I6', window, first) <= now - span do first = first + 6 end
    window = string.sub(window, first)
    windows[k] = window
    count = #window / 6
    if count > 0 then freeIn = struct.unpack('>I6', window, 1) + span - now end
  end
  taken = math.max(0, math.min(taken, limitOf(k) - count))
  answer[2 * k - 1], answer[2 * k] = count, freeIn
end

if taken > 0 then
  for k, window in ipairs(windows) do
    if limitOf(k) > exact then
      local newest = struct.unpack('>I4', window, 4 * COUNTS - 3) + taken
      local row = struct.pack('>I8', slot) .. string.sub(window, 1, 4 * COUNTS - 4) .. struct.pack('>I4', newest)
      redis.call('SET', KEYS[k] .. ':c', row, 'PX', math.ceil((slot + COUNTS) * width - clock))
    else
      redis.call('SET', KEYS[k], window .. string.rep(struct.pack('>I6', now), taken), 'PX', now + span - clock)
    end
  end
end
return {taken, unpack(answer)}
