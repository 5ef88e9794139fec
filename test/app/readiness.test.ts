import { expect, test } from 'bun:test';
import { type ReadinessSources, readinessOf } from '#src/app/watching.ts';
import { createFirstSeen, notice } from '#src/core/base/text/condition.ts';

const FAILED = 'The source of the list feed cannot be used; it was never imported.';
const CLOCK = 'The clock of a list source differs from the clock of this host.';
const LIMITER = 'A former primary of the limiter accepts writes.';

test('sources and the limiter are degraded by their notices; a failed source is named once, beside its clock', async () => {
  const source = { name: 'feed', tried_at: null, renewed_at: null, next_at: null, problem: 'its file does not exist' };
  const sources: Partial<ReadinessSources> = {
    config: { data_dir: '/', disk_floor_percent: 0, network: 'none' } as ReadinessSources['config'],
    log: {
      health: async () => ({
        problem: null,
        problems: { public: null, private: null },
        notices: [],
        noticesOf: { public: [], private: [] },
      }),
    },
    leaving: new AbortController().signal,
    limiter: { notices: () => [notice('limiter_outdated', LIMITER)] },
    engine: { modelVersion: () => 'm1', lists: { block: [], allow: [], stored: [] } } as never,
    faults: () => [],
    background: {
      packs: () => ({ packs: [], refused: [], notices: [], readiness: { state: 'off', detail: null } }),
      listSources: () => ({
        count: 1,
        notices: [notice('list_source_failed', FAILED), notice('clock_differs', CLOCK)],
        sources: [source],
      }),
      alerts: () => [],
      fleet: () => [],
      fleetProblem: () => null,
    },
    notifier: { channels: new Set(), notices: () => [] } as never,
    feeds: () => ({ isOn: false, notices: [] }),
    gateNotices: () => [],
    firstSeen: createFirstSeen(() => 0),
  };
  const { notices, conditions, parts } = await readinessOf(sources as ReadinessSources);
  expect(notices).toEqual([FAILED, CLOCK, LIMITER]);
  expect(parts.filter(({ state }) => state === 'degraded').map(({ name, detail }) => [name, detail])).toEqual([
    ['list_sources', `${FAILED} ${CLOCK}`],
    ['limiter', LIMITER],
  ]);
  expect(conditions.map(({ code, message }) => [code, message])).toEqual([
    ['list_source_failed', 'A source of a list cannot be used.'],
    ['clock_differs', CLOCK],
    ['limiter_outdated', LIMITER],
  ]);
});
