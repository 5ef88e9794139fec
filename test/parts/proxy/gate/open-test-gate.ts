import type { Target } from '#src/core/url/target.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import { indexList } from '#src/network/lists/named-list.ts';
import { parseList } from '#src/network/lists/parse.ts';
import {
  createGate,
  type GateOutcome,
  type GateParts,
  type GateRequest,
  type HeldRequest,
} from '#src/parts/proxy/gate/gate.ts';
import { createHeldClock } from '#test/support/held-clock.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';

const listOf = (text: string) => [{ name: 'list', index: indexList(parseList(text)), changedAtMs: null }];

/** Lists as files that settings name, one entry per line. */
export function namedLists({
  block = '',
  allow = '',
}: {
  readonly block?: string;
  readonly allow?: string;
}): LocalLists {
  return { block: block === '' ? [] : listOf(block), allow: allow === '' ? [] : listOf(allow), stored: [] };
}

/** A gate on the shipped models without a service around it. `sure` is the threshold that holds by spelling. */
export function openTestGate({
  mode = 'hold' as 'hold' | 'watch',
  sure = 0.97,
  lists = namedLists({}),
  own = [] as readonly string[],
  ...parts
}: Partial<GateParts> & { mode?: 'hold' | 'watch'; sure?: number; own?: readonly string[] } = {}) {
  const records: HeldRequest[] = [];
  const outcomes: GateOutcome[] = [];
  const logged: string[] = [];
  const clock = createHeldClock();
  const gate = createGate({
    settings: () => ({ gate_mode: mode, gate_deep_per_minute: 60, gate_log_users: false }),
    thresholds: () => ({ warn: SETTINGS.thresholds.warn, gate: sure }),
    lists,
    assess: (target, observations) => assess(target, observations, MODELS, SETTINGS),
    context: () => [lists],
    ownDomains: () => new Set(own),
    canary: ({ host }: Target) =>
      host.text === 'block.lurecheck.test' ? 'block' : host.text === 'allow.lurecheck.test' ? 'allow' : null,
    isBehind: () => false,
    probeHost: null,
    async record(held) {
      records.push(held);
    },
    onAnswered: ({ outcome }) => outcomes.push(outcome),
    onProbed() {},
    clock,
    logger: { error: (event, fields) => logged.push(JSON.stringify({ event, ...fields })) },
    ...parts,
  });
  const ask = (url: string | null, more: Partial<GateRequest> = {}) =>
    gate.ask({ way: 'icap', url, isNavigation: true, client: '192.0.2.1', user: null, ...more });
  return {
    gate,
    ask,
    said: (url: string | null, more?: Partial<GateRequest>) => summary(ask(url, more)),
    records,
    outcomes,
    logged,
    clock,
  };
}

function summary({ isHeld, rule }: { readonly isHeld: boolean; readonly rule: string }): string {
  return `${isHeld ? 'hold' : 'pass'} ${rule}`;
}
