import { expect, test } from 'bun:test';
import type { SourceReport } from '#src/app/conditions.ts';
import { operatorConditions, publicConditions } from '#src/app/conditions.ts';
import { createFirstSeen, notice, type RaisedAlert } from '#src/core/base/text/condition.ts';

const HOUR = '2026-01-31T12:00:00.000Z';

const alert: RaisedAlert = {
  ...{ code: 'key_expires', args: { keys: 'desk on 2026-02-02' }, sinceMs: Date.parse(HOUR) },
  fact: 'Keys expire: desk on 2026-02-02.',
  remedy: 'Create others by lurecheck key create.',
  notice: '1 key will expire within 14 days.',
};

const source: SourceReport = {
  ...{ name: 'feed', tried_at: HOUR, renewed_at: null, next_at: '2026-01-31T12:10:00.000Z' },
  problem: 'its file does not exist',
};

const facts = {
  alerts: [
    alert,
    { ...alert, code: 'model_old' as const, fact: 'Old.', remedy: 'Upgrade.', notice: 'Old.', args: { days: 400 } },
  ],
  sources: [{ ...source, name: 'works', problem: null }, source],
  others: createFirstSeen(() => Date.parse(HOUR))([notice('checks_waiting', '3 checks wait.', { count: 3 })]),
  nowMs: Date.parse(HOUR) + 1000,
};

test('an operator sees each condition with cause, time and remedy, errors first', () => {
  expect(operatorConditions(facts)).toEqual([
    {
      ...{ code: 'list_source_failed', severity: 'error', since: HOUR },
      args: { list: 'feed', cause: 'its file does not exist', next: '2026-01-31T12:10:00.000Z' },
      message: 'The source of the list feed cannot be used: its file does not exist. It was never imported.',
      remedy: expect.stringContaining('list_sources'),
    },
    {
      ...{ code: 'key_expires', severity: 'warning', since: HOUR, args: alert.args, message: alert.fact },
      remedy: alert.remedy,
    },
    { code: 'model_old', severity: 'warning', since: HOUR, args: { days: 400 }, message: 'Old.', remedy: 'Upgrade.' },
    {
      ...{ code: 'checks_waiting', severity: 'warning', since: HOUR, args: { count: 3 } },
      ...{ message: '3 checks wait.', remedy: null },
    },
  ]);
});

test('everybody sees the same conditions without names, causes and remedies', () => {
  const open = publicConditions(facts);
  expect(open.map(({ code }) => code)).toEqual(operatorConditions(facts).map(({ code }) => code));
  expect(open.map(({ message }) => message)).toEqual([
    'A source of a list cannot be used.',
    '1 key will expire within 14 days.',
    'Old.',
    '3 checks wait.',
  ]);
  expect(open.map(({ args }) => args)).toEqual([{}, {}, {}, { count: 3 }]);
  expect(open.every(({ remedy }) => remedy === null)).toBe(true);
});

test('a condition keeps the time at which it was first noticed while its numbers change', () => {
  let nowMs = 0;
  const firstSeen = createFirstSeen(() => nowMs);
  const since = (...texts: string[]) =>
    firstSeen(texts.map((text) => notice('log_damaged', text))).map((one) => Date.parse(one.since));
  expect(since('3 checks wait.')).toEqual([0]);
  nowMs = 1000;
  expect(since('4 checks wait.', 'The disk is full.')).toEqual([0, 1000]);
  nowMs = 2000;
  expect(since('The disk is full.')).toEqual([1000]);
  expect(since('3 checks wait.')).toEqual([2000]);
});
