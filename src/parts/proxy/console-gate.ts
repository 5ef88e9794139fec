import type { ConfigFor } from '#src/app/config.ts';
import type { Engine } from '#src/app/engine.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Turns } from '#src/core/base/turns.ts';
import { readGateReport } from '#src/parts/proxy/gate/gate-report.ts';
import type { OpenedGate } from './open-gate.ts';
import { testLink } from './test-link.ts';

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
