import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RenderReport } from '#src/network/probes/render-report.ts';

/** Sources of the metrics of the browser, read at each scrape. */
export interface BrowserSources {
  /** Starts after the first. */
  restarts(): number;
  isRunning(): boolean;
}

/** Upper bounds of the durations of visits, in seconds. */
const SECONDS = [0.5, 1, 1.5, 2, 3, 4, 6, 8];

/** Registers the metrics of the browser. Returns the function that counts a visit. */
export function browserMetrics(registry: Registry, sources: BrowserSources): (report: RenderReport) => void {
  const registers = [registry];
  const visits = new Counter({
    name: 'lurecheck_browser_visits_total',
    help: 'Pages that a browser was considered for, by the status of `render` in the answer.',
    labelNames: ['status'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'lurecheck_browser_visit_seconds',
    help: 'Duration of visits with the browser that began.',
    buckets: SECONDS,
    registers,
  });
  const refused = new Counter({
    name: 'lurecheck_browser_refused_connections_total',
    help: 'Connections of pages that the egress policy or the budget refused.',
    registers,
  });
  new Counter({
    name: 'lurecheck_browser_restarts_total',
    help: 'Starts of the browser after the first.',
    registers,
    collect() {
      this.reset();
      this.inc(sources.restarts());
    },
  });
  new Gauge({
    name: 'lurecheck_browser_running',
    help: '1 while a browser answers; 0 before the first visit that needs one, and after a failure.',
    registers,
    collect() {
      this.set(Number(sources.isRunning()));
    },
  });
  return ({ status, seconds: took, refused: count }) => {
    visits.inc({ status });
    refused.inc(count);
    if (took > 0) seconds.observe(took);
  };
}
