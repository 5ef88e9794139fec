import type { Registry } from 'prom-client';
import { metersOf } from '#src/app/parts/meters.ts';
import type { GateWay } from '#src/checks/record/decided-by.ts';

interface CountedRequest {
  readonly way: GateWay;
  readonly outcome: string;
  /** Duration of the decision. */
  readonly seconds: number;
  /** True if the request passed, and nothing says that it is harmless; `outcome` is the cause. */
  readonly isUnexamined: boolean;
}

/** Upper bounds in seconds. */
const SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05];

/** Takes measurements of the gate. */
export interface GateMetrics {
  gateAnswered(answered: CountedRequest): void;
  /** Takes the processor time of the requests that arrived together, in seconds. */
  gateHandled(cpuSeconds: number): void;
  gateProbed(decision: string): void;
}

/** Sources of the gate's metrics, read at each scrape. */
interface GateSources {
  connections(): number;
}

/** Registers the metrics of the gate. */
export function gateMetrics(registry: Registry, sources: GateSources): GateMetrics {
  const { counter, histogram, readGauge } = metersOf(registry);
  const requests = counter(
    'lurecheck_gate_requests_total',
    'Requests that a proxy asked about, by how they came and what became of them.',
    'way',
    'outcome',
  );
  const unexamined = counter(
    'lurecheck_gate_unexamined_total',
    'Requests that passed unexamined, by the cause.',
    'cause',
  );
  const seconds = histogram('lurecheck_gate_seconds', 'Duration of a decision of the gate, in seconds.', SECONDS);
  const cpuSeconds = histogram(
    'lurecheck_gate_cpu_seconds',
    'Processor time of the requests of a proxy that arrived together, from their bytes to their answers, in seconds.',
    SECONDS,
  );
  const deep = counter(
    'lurecheck_gate_deep_total',
    'Hosts that were probed after a doubtful request passed, by the decision.',
    'decision',
  );
  readGauge('lurecheck_icap_connections', 'Open ICAP connections.', sources.connections);
  return {
    gateAnswered({ way, outcome, seconds: took, isUnexamined }) {
      requests.inc({ way, outcome });
      if (isUnexamined) unexamined.inc({ cause: outcome });
      seconds.observe(took);
    },
    gateHandled: (seconds) => cpuSeconds.observe(seconds),
    gateProbed: (decision) => deep.inc({ decision }),
  };
}
