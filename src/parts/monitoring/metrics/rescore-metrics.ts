import { Gauge, type Registry } from 'prom-client';
import type { StoredOutcome } from '#src/checks/record/rescore-outcome.ts';

/** Registers the metrics of nightly re-scoring; no values before the first run. */
export function rescoreMetrics(registry: Registry, rescored: () => StoredOutcome | null): void {
  new Gauge({
    name: 'lurecheck_rescore_checks',
    help: 'Public checks that were re-scored last night by the model, lists and brands.',
    registers: [registry],
    collect() {
      const outcome = rescored();
      this.reset();
      if (outcome) this.set(outcome.judged);
      else this.remove();
    },
  });
  new Gauge({
    name: 'lurecheck_rescore_changed_checks',
    help: 'Of these, checks that would come out otherwise.',
    labelNames: ['was', 'now'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { was, now, checks } of rescored()?.changes ?? []) this.set({ was, now }, checks);
    },
  });
  new Gauge({
    name: 'lurecheck_rescore_finished_timestamp_seconds',
    help: 'When they had been re-scored, in seconds since the Unix epoch.',
    registers: [registry],
    collect() {
      const outcome = rescored();
      this.reset();
      if (outcome) this.set(Date.parse(outcome.finished_at) / 1000);
      else this.remove();
    },
  });
}
