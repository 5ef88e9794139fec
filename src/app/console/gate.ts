import { systemClock } from '#src/core/base/clock.ts';
import type { OpenedGate } from '#src/parts/proxy/open-gate.ts';
import type { GateOperations } from '#src/service/server/admin/gate-route.ts';
import type { ConsoleService } from './console-service.ts';

/** Returns what the console shows of the gate; nothing of the gate is loaded without one. */
export function consoleGate(
  { running, engine, log, heavy }: ConsoleService,
  gate: Pick<OpenedGate, 'explain' | 'threshold' | 'passed'> | null,
): GateOperations {
  return {
    async report(sinceMs) {
      const { data_dir, gate_mode, icap_listen, icap_tls_listen } = running();
      if (icap_listen.length + icap_tls_listen.length === 0) return null;
      const { readGateReport } = await import('#src/parts/proxy/gate/gate-report.ts');
      const when = { sinceMs, nowMs: systemClock.now() };
      return await heavy.run(() => readGateReport(data_dir, gate_mode, log, when));
    },
    passed: () => gate?.passed() ?? null,
    async test(url) {
      if (gate === null) return null;
      const { testLink } = await import('#src/parts/proxy/test-link.ts');
      return testLink(url, running().gate_mode, gate, engine);
    },
  };
}
