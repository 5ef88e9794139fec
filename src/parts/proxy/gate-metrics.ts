import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { GateWay } from '#src/checks/record/gate/gate-mark.ts';

export interface CountedRequest {
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
export interface GateSources {
  connections(): number;
}

/** Registers the metrics of the gate. */
export function gateMetrics(registry: Registry, sources: GateSources): GateMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'lurecheck_gate_requests_total',
    help: 'Requests that a proxy asked about, by how they came and what became of them.',
    labelNames: ['way', 'outcome'] as const,
    registers,
  });
  const unexamined = new Counter({
    name: 'lurecheck_gate_unexamined_total',
    help: 'Requests that passed unexamined, by the cause.',
    labelNames: ['cause'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'lurecheck_gate_seconds',
    help: 'Duration of a decision of the gate, in seconds.',
    buckets: SECONDS,
    registers,
  });
  const cpuSeconds = new Histogram({
    name: 'lurecheck_gate_cpu_seconds',
    help: 'Processor time of the requests of a proxy that arrived together, from their bytes to their answers, in seconds.',
    buckets: SECONDS,
    registers,
  });
  const deep = new Counter({
    name: 'lurecheck_gate_deep_total',
    help: 'Hosts that were probed after a doubtful request passed, by the decision.',
    labelNames: ['decision'] as const,
    registers,
  });
  new Gauge({
    name: 'lurecheck_icap_connections',
    help: 'Open ICAP connections.',
    registers,
    collect() {
      this.set(sources.connections());
    },
  });
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
