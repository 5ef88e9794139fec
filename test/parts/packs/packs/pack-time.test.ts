import { expect, test } from 'bun:test';
import fusionJson from '#src/engine/models/fusion.json' with { type: 'json' };
import { packTime, recordSeenTimes } from '#src/parts/packs/packs/pack-time.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const MADE_MS = Date.parse(fusionJson.date);
const DAY_MS = 86_400_000;
const at = (ms: number) => ({ now: () => ms });

test('the pack time equals the clock while the clock goes forward', async () => {
  await using directory = temporaryDirectory();
  const nowMs = MADE_MS + DAY_MS;
  expect(packTime(directory.path, at(nowMs))).toEqual({ nowMs, clockMs: nowMs, isClockBehind: false });
});

test('the pack time is never earlier than the latest observed time, even if the clock is set back', async () => {
  await using directory = temporaryDirectory();
  const seenMs = MADE_MS + 10 * DAY_MS;
  recordSeenTimes(directory.path, [
    new Date(seenMs - DAY_MS).toISOString(),
    new Date(seenMs).toISOString(),
    null,
    'no time',
  ]);
  const clockMs = seenMs - 2 * DAY_MS;
  expect(packTime(directory.path, at(clockMs))).toEqual({ nowMs: seenMs, clockMs, isClockBehind: true });
  expect(packTime(directory.path, at(seenMs + 1)).nowMs).toBe(seenMs + 1);
});

test('a clock is behind if it is more than a minute earlier than the latest observed time', async () => {
  await using directory = temporaryDirectory();
  expect(packTime(directory.path, at(MADE_MS - 60_000)).isClockBehind).toBeFalse();
  expect(packTime(directory.path, at(MADE_MS - 60_001)).isClockBehind).toBeTrue();
});

test('without packs and checks, the pack time is never earlier than the date of the model', async () => {
  await using directory = temporaryDirectory();
  recordSeenTimes(directory.path, [null, 'no time']);
  expect(packTime(directory.path, at(0))).toEqual({ nowMs: MADE_MS, clockMs: 0, isClockBehind: true });
});

test('a single observed time is stored', async () => {
  await using directory = temporaryDirectory();
  const seenMs = MADE_MS + DAY_MS;
  recordSeenTimes(directory.path, [new Date(seenMs).toISOString()]);
  expect(packTime(directory.path, at(0)).nowMs).toBe(seenMs);
});
