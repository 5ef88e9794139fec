import { expect, test } from 'bun:test';
import type { LoggedResult } from '#src/checks/record/stored-result.ts';
import {
  allChanged,
  changesMade,
  isGraver,
  nothingRescored,
  rescore,
  rescoreAll,
} from '#src/parts/tuning/rescore/rescore.ts';
import { sampleRecord } from '#test/support/sample-record.ts';

const verdict = (decision: 'allow' | 'warn' | 'block') => ({ probability: 0.5, decision });
const ALLOWED = { was: verdict('allow'), now: verdict('allow') };

async function* entries(count: number, result: LoggedResult = sampleRecord({ url: 'http://a.example/' }).result) {
  for (let at = 0; at < count; at++) yield { result };
}

test('changes of decisions are counted by kind, the most severe first, and unscored checks apart', async () => {
  const pairs = [
    { was: verdict('warn'), now: verdict('allow') },
    ALLOWED,
    null,
    { was: verdict('allow'), now: verdict('block') },
    { was: verdict('warn'), now: verdict('allow') },
  ];
  const rescored = await rescoreAll(entries(pairs.length), () => pairs.shift() ?? null);
  expect([rescored.judged, rescored.unread, allChanged(rescored)]).toEqual([4, 1, 3]);
  expect(changesMade(rescored)).toEqual([
    { was: 'allow', now: 'block', checks: 1 },
    { was: 'warn', now: 'allow', checks: 2 },
  ]);
  expect(rescored.changed.map(isGraver)).toEqual([false, true, false]);
  expect(rescored.changed[0]?.check.url).toBe('http://a.example/');
});

test('all changed checks are yielded, and the first thousand are listed', async () => {
  const rescored = nothingRescored();
  const blocked = { was: verdict('warn'), now: verdict('block') };
  expect(
    await Array.fromAsync(
      rescore(
        entries(1001),
        () => blocked,
        rescored,
        async () => {},
      ),
    ),
  ).toHaveLength(1001);
  expect([rescored.changed.length, allChanged(rescored)]).toEqual([1000, 1001]);
});

test('the work pauses after each turn', async () => {
  let pauses = 0;
  const pause = async () => void pauses++;
  for await (const _ of rescore(entries(33), () => ALLOWED, nothingRescored(), pause));
  expect(pauses).toBe(2);
  for await (const _ of rescore(entries(33), () => null, nothingRescored(), pause, 4));
  expect(pauses).toBe(2 + 8);
});
