import { expect, test } from 'bun:test';
import type { Registry } from 'prom-client';
import { FAILURES, type FailureCode } from '#src/core/base/failure.ts';
import { indexList } from '#src/network/lists/named-list.ts';
import { parseList } from '#src/network/lists/parse.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { milterMetrics } from '#src/parts/mail/milter-metrics.ts';
import { openMetrics } from '#src/parts/monitoring/metrics/metrics.ts';
import { gateMetrics } from '#src/parts/proxy/gate-metrics.ts';

const SOURCES = {
  modelVersion: () => '1-abcd',
  packs: () => ({ packs: [], refused: [], notices: [] }),
  load: () => ({ underWay: 2, waiting: 1 }),
  lists: () => ({ block: [], allow: [], stored: [] }),
  alerts: () => [{ code: 'backup_old' }],
  isReady: () => Promise.resolve(true),
  logs: null,
  databases: null,
  syslog: null,
  limiter: () => null,
  rescored: () => null,
  notifications: new Map(),
  parts: { measure: async () => {} },
};

const NOTHING_SEEN = skippedObservations('not_applicable', { state: 'skipped', reason: 'disabled' });

function failed(code: FailureCode) {
  return { state: 'failed', failure: { code, detail: 'of secret.example' }, elapsedMs: 1 } as const;
}

test('counts a probe by its outcome, and a policy refusal also as a refusal', async () => {
  await using metrics = await openMetrics(SOURCES);
  for (const code of Object.keys(FAILURES) as FailureCode[]) {
    metrics.looked({ ...NOTHING_SEEN, page: failed(code), landing: { ...NOTHING_SEEN, host: 'landed.example' } });
  }
  const text = await metrics.text('');
  for (const code of Object.keys(FAILURES)) expect(text).toContain(`{probe="page",outcome="${code}"} 1\n`);
  expect(text).toContain(`{probe="dns",outcome="not_applicable"} ${2 * Object.keys(FAILURES).length}\n`);
  const refusals = text.split('\n').filter((line) => line.startsWith('lurecheck_egress_refusals_total{'));
  expect(refusals.map((line) => line.split(' ')[1])).toEqual(['1', '1', '1']);
  expect(text).not.toContain('.example');
});

test('counts messages by the log and the verdict, and those that a log holds', async () => {
  const size = { checks: 7, messages: 3, usedBytes: 1, walBytes: 1, oldestMs: null };
  await using metrics = await openMetrics({ ...SOURCES, logs: { size: () => size, freeDiskBytes: () => 1 } });
  metrics.messageChecked({ visibility: 'private', decision: 'block' });
  const text = await metrics.text('');
  expect(text).toContain('lurecheck_messages_total{visibility="private",decision="block"} 1\n');
  expect(text).toContain('lurecheck_log_messages{log="public"} 3\n');
});

test('unreadable logs do not affect other metrics', async () => {
  const fail = () => {
    throw new Error('the disk has gone');
  };
  await using metrics = await openMetrics({ ...SOURCES, logs: { size: fail, freeDiskBytes: fail } });
  const samples = (await metrics.text('')).split('\n').filter((line) => !line.startsWith('#'));
  expect(samples.filter((line) => line.startsWith('lurecheck_log_'))).toEqual([]);
  expect(samples).toContain('lurecheck_ready 1');
});

test('the change time of lists with one name is the oldest, and a list without a time has none', async () => {
  const index = indexList(parseList('example.com\n'));
  const listed = (name: string, changedAtMs: number | null) => ({ name, index, changedAtMs });
  const block = [listed('own.txt', 2_000_500), listed('own.txt', 1_000_500), listed('pipe', null)];
  const lists = () => ({ block, allow: [listed('own.txt', 3_000_000)], stored: [] });
  await using metrics = await openMetrics({ ...SOURCES, lists });
  const told = (await metrics.text('')).split('\n').filter((line) => line.startsWith('lurecheck_list_changed'));
  expect(told).toEqual([
    'lurecheck_list_changed_timestamp_seconds{list="own.txt",action="allow"} 3000',
    'lurecheck_list_changed_timestamp_seconds{list="own.txt",action="block"} 1000.5',
  ]);
});

test('a read changes no counter, and both formats have the same values', async () => {
  await using metrics = await openMetrics(SOURCES);
  metrics.undelivered();
  const numbers = async (mediaType: string) =>
    (await metrics.text(mediaType)).split('\n').filter((line) => line.startsWith('lurecheck_checks'));
  const [plain, open] = metrics.mediaTypes;
  const first = await numbers(plain);
  expect(first).toEqual([
    'lurecheck_checks_undelivered_total 1',
    'lurecheck_checks_under_way{visibility="public"} 2',
    'lurecheck_checks_under_way{visibility="private"} 2',
    'lurecheck_checks_waiting{visibility="public"} 1',
    'lurecheck_checks_waiting{visibility="private"} 1',
  ]);
  expect(await numbers(plain)).toEqual(first);
  expect(await numbers(open)).toEqual(first);
});

test('what passed unexamined is counted by its cause: requests, mails and pulls of feeds', async () => {
  const connections = () => 0;
  const parts = {
    async measure(registry: Registry) {
      const gate = gateMetrics(registry, { connections });
      gate.gateAnswered({ way: 'icap', outcome: 'late', seconds: 0.001, isUnexamined: true });
      gate.gateAnswered({ way: 'icap', outcome: 'passed', seconds: 0.001, isUnexamined: false });
      const milter = milterMetrics(registry, { connections });
      milter.mailAnswered('deadline', 'deadline');
      milter.mailAnswered('none', null);
    },
  };
  await using metrics = await openMetrics({ ...SOURCES, parts });
  metrics.feedPulled('domains', 503, null, true);
  metrics.feedPulled('domains', 304, 'firewall', true);
  metrics.feedPulled('domains', 200, 'firewall', false);
  const lines = (await metrics.text(metrics.mediaTypes[0])).split('\n');
  expect(lines.filter((line) => /^lurecheck_\w+_unexamined_total/.test(line)).sort()).toEqual([
    'lurecheck_feed_unexamined_total{cause="missing"} 1',
    'lurecheck_feed_unexamined_total{cause="stale"} 1',
    'lurecheck_gate_unexamined_total{cause="late"} 1',
    'lurecheck_milter_unexamined_total{cause="deadline"} 1',
  ]);
});
