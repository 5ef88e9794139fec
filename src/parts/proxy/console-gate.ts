import type { ConfigFor } from '#src/app/config.ts';
import type { Engine } from '#src/app/engine.ts';
import { decidingEntry, ownerOf } from '#src/checks/record/decided-by.ts';
import type { GateTest } from '#src/checks/record/gate-test.ts';
import { explainReason } from '#src/checks/record/reasons/explain.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Turns } from '#src/core/base/turns.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { readGateReport } from '#src/parts/proxy/gate/held-report.ts';
import { isHolding, isListRule, isUnexamined } from '#src/parts/proxy/gate/link-verdicts.ts';
import type { OpenedGate } from './open-gate.ts';

/** Number of reasons that are shown. */
const MAX_REASONS = 5;

/** Returns what the gate would say about a page, with its reasons; nothing is logged, counted or remembered. */
function testLink(
  url: string,
  mode: GateTest['mode'],
  gate: Pick<OpenedGate, 'explain' | 'threshold'>,
  engine: Pick<Engine, 'scoringContext'>,
): GateTest {
  const { rule, decision, probability, target } = gate.explain({ url, isNavigation: true });
  const found = {
    ...{ url: target?.url ?? url, mode, rule, unexamined: isUnexamined(rule) },
    ...{ would_hold: isHolding(rule), decision, malicious_probability: probability, gate_block: gate.threshold() },
  };
  if (target === null) return { ...found, reasons: [], decided_by: null };
  const { lists, models, settings } = engine.scoringContext();
  const seen = skippedObservations('disabled', observeLists(lists, target, systemClock.now()));
  const reasons = assess(target, seen, models, settings).verdict.contributions.map(explainReason);
  const listed = decision !== null && isListRule(rule) ? decidingEntry(decision, reasons, null) : null;
  const against = reasons.filter(({ weight }) => weight > 0).slice(0, MAX_REASONS);
  return {
    ...found,
    reasons: isHolding(rule) || rule === 'doubtful' ? against.map(({ code, weight }) => ({ code, weight })) : [],
    decided_by: listed && { ...listed, source: ownerOf(listed.list, seen) },
  };
}

/** Dependencies of {@link consoleGate}. */
interface GatedService {
  /** The settings as they are now. */
  readonly running: () => ConfigFor<'serve'>;
  readonly engine: Pick<Engine, 'scoringContext'>;
  readonly log: Pick<ScanLog, 'read'>;
  /** Reports are made one at a time, beside previews. */
  readonly heavy: Pick<Turns, 'run'>;
}

/** Returns what the console asks of the gate; null is a service without one. */
export function consoleGate(
  { running, engine, log, heavy }: GatedService,
  gate: Pick<OpenedGate, 'explain' | 'threshold'> | null,
) {
  return {
    async report(sinceMs: number | null) {
      const { data_dir, gate_mode, icap_listen, icap_tls_listen } = running();
      if (icap_listen.length + icap_tls_listen.length === 0) return null;
      const when = { sinceMs, nowMs: systemClock.now() };
      return await heavy.run(() => readGateReport(data_dir, gate_mode, log, when));
    },
    async test(url: string) {
      if (gate === null) return null;
      return testLink(url, running().gate_mode, gate, engine);
    },
  };
}
