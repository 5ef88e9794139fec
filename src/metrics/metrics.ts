import { Registry } from 'prom-client';
import { type CheckMetrics, checkMetrics } from './check-metrics.ts';
import { OPEN_METRICS, PROMETHEUS_TEXT, toOpenMetrics } from './open-metrics.ts';
import { processMetrics } from './process-metrics.ts';
import { type MetricSources, type ServiceMetrics, serviceMetrics } from './service-metrics.ts';

/** What is measured of a running service, for a monitoring system. No label ever holds what was checked, or by whom. */
export interface Metrics extends CheckMetrics, ServiceMetrics, Disposable {
  /** The media types of {@link text}. */
  readonly mediaTypes: readonly [string, string];
  /** All of it in the format of a media type. */
  text(mediaType: string): Promise<string>;
}

/** Begins to count. */
export function openMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const process = processMetrics(registry);
  return {
    ...checkMetrics(registry),
    ...serviceMetrics(registry, sources),
    mediaTypes: [PROMETHEUS_TEXT, OPEN_METRICS],
    async text(mediaType) {
      const text = await registry.metrics();
      return mediaType === OPEN_METRICS ? toOpenMetrics(text) : text;
    },
    [Symbol.dispose]: () => process[Symbol.dispose](),
  };
}
