import type { Registry } from 'prom-client';
import { metersOf } from '#src/app/parts/meters.ts';
import type { RenderReport } from '#src/network/probes/observations.ts';

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
  const { counter, histogram, readGauge, readCounter } = metersOf(registry);
  const visits = counter(
    'lurecheck_browser_visits_total',
    'Pages that a browser was considered for, by the status of `render` in the answer.',
    'status',
  );
  const seconds = histogram(
    'lurecheck_browser_visit_seconds',
    'Duration of visits with the browser that began.',
    SECONDS,
  );
  const refused = counter(
    'lurecheck_browser_refused_connections_total',
    'Connections of pages that the egress policy or the budget refused.',
  );
  readCounter('lurecheck_browser_restarts_total', 'Starts of the browser after the first.', sources.restarts);
  readGauge(
    'lurecheck_browser_running',
    '1 while a browser answers; 0 before the first visit that needs one, and after a failure.',
    sources.isRunning,
  );
  return ({ status, seconds: took, refused: count }) => {
    visits.inc({ status });
    refused.inc(count);
    if (took > 0) seconds.observe(took);
  };
}
