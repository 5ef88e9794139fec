import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '#src/core/base/clock.ts';
import {
  type AlertChange,
  type AlertFacts,
  alertMessage,
  alertsIn,
  watchAlerts,
} from '#src/parts/monitoring/alerts/alert.ts';
import { until } from '#test/support/until.ts';

const NOW_MS = Date.UTC(2026, 10, 23, 12);
const daysAway = (days: number) => new Date(NOW_MS + days * DAY_MS).toISOString();

const QUIET: AlertFacts = {
  nowMs: NOW_MS,
  backup: { newestMs: NOW_MS - DAY_MS, problem: null },
  keys: [
    { name: 'soc', scopes: ['check'], expires_at: daysAway(15) },
    { name: 'ever', scopes: ['feed'], expires_at: null },
    { name: 'gone', scopes: ['feed'], expires_at: daysAway(-1) },
  ],
  pulls: new Map([
    ['ever', NOW_MS - DAY_MS + 1],
    ['gone', NOW_MS - 2 * DAY_MS],
    ['revoked', NOW_MS - 2 * DAY_MS],
  ]),
  certificateEndsMs: NOW_MS + 15 * DAY_MS,
  lists: [
    { name: 'feed', source: 'feed.csv', changed_at: daysAway(-29) },
    { name: 'ours', source: null, changed_at: daysAway(-900) },
  ],
  modelDate: '2026-01-01',
};

describe('alerts', () => {
  test('are not raised while all facts are within their limits', () => {
    expect(alertsIn(QUIET)).toEqual([]);
    expect(alertsIn({ ...QUIET, backup: null, certificateEndsMs: null })).toEqual([]);
    // The first backup is made at once, or fails.
    expect(alertsIn({ ...QUIET, backup: { newestMs: null, problem: null } })).toEqual([]);
  });

  test.each<[string, Partial<AlertFacts>, string, string]>([
    ['backup_failed', { backup: { newestMs: NOW_MS, problem: 'the disk is full' } }, 'the disk is full', 'failed.'],
    ['backup_old', { backup: { newestMs: NOW_MS - 2 * DAY_MS, problem: null } }, '2 days old', '2 days old.'],
    [
      'key_expires',
      { keys: [{ name: 'soc', scopes: ['check'], expires_at: daysAway(13) }] },
      'soc on 2026-12-06',
      '1 key will expire within 14 days.',
    ],
    [
      'key_expires',
      { keys: [{ name: 'soc', scopes: ['check', 'feed'], expires_at: daysAway(29) }] },
      'soc on 2026-12-22',
      '1 key will expire within 30 days.',
    ],
    [
      'feed_not_pulled',
      { pulls: new Map([['ever', NOW_MS - DAY_MS]]) },
      'ever since 2026-11-22T12:00',
      '1 key pulled no feed for a day.',
    ],
    ['certificate_expires', { certificateEndsMs: NOW_MS + 13 * DAY_MS }, 'SIGHUP', 'expires in 13 days.'],
    ['certificate_expires', { certificateEndsMs: NOW_MS }, 'tls_certificate', 'has expired.'],
    [
      'list_stale',
      { lists: [{ name: 'feed', source: 'f', changed_at: daysAway(-30) }] },
      'feed since',
      '1 imported list',
    ],
    ['gate_watching', { gateWatchingSinceMs: NOW_MS - 30 * DAY_MS }, 'gate report', 'watched for 30 days'],
    ['model_old', { modelDate: '2025-11-23' }, 'Upgrade', 'The model is 365 days old.'],
  ])(
    '%s has a message for the operator with details, and a public notice without names',
    (code, facts, message, notice) => {
      const alerts = alertsIn({ ...QUIET, ...facts });
      expect(alerts).toMatchObject([{ code }]);
      expect(alerts.map(alertMessage).join('\n')).toContain(message);
      expect(alerts[0]?.notice).toContain(notice);
      expect(alerts[0]?.notice).not.toMatch(/soc|ever|feed\.|disk/);
    },
  );
});

test('an alert is logged when it is raised and when it is cleared, and not in between', async () => {
  let facts: AlertFacts = { ...QUIET, modelDate: '2025-01-01' };
  let looks = 0;
  const events: [string, unknown][] = [];
  const log = (event: string, fields: Readonly<Record<string, unknown>> = {}) =>
    void events.push([event, fields['code']]);
  const look = () => {
    looks++;
    return facts;
  };
  const changes: string[] = [];
  const onChange: AlertChange = ({ code }, change) => void changes.push(`${code} ${change}`);
  using watch = watchAlerts(look, onChange, { warn: log, info: log, error: log }, 1);
  await until(() => looks > 3);
  expect(watch.active()).toMatchObject([{ code: 'model_old' }]);
  facts = QUIET;
  await until(() => watch.active().length === 0);
  const seen = looks;
  await until(() => looks > seen + 2);
  expect(events).toEqual([
    ['alert.raised', 'model_old'],
    ['alert.cleared', 'model_old'],
  ]);
  expect(changes).toEqual(['model_old raised', 'model_old cleared']);
});
