import { readdirSync } from 'node:fs';
import { type Histogram, Registry } from 'prom-client';
import { metersOf } from '#src/app/parts/meters.ts';
import type { StoredOutcome } from '#src/checks/record/stats.ts';
import type { LocalLog } from '#src/checks/store/local-log.ts';
import type { OutboxStatus } from '#src/core/base/outbox.ts';
import { type CheckMetrics, checkMetrics } from './check-metrics.ts';
import { rescoreMetrics } from './content-metrics.ts';
import {
  databaseMetrics,
  logMetrics,
  type MeasuredDatabases,
  notificationMetrics,
  syslogMetrics,
} from './log-metrics.ts';
import { type ServiceMetrics, type ServiceSources, serviceMetrics } from './service-metrics.ts';

/** Interval of event-loop measurements, in milliseconds: no stall of that length is missed. */
const PUNCTUALITY_MS = 100;

/** Upper bounds in seconds. */
const LATENESS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Registers the process metrics under Prometheus's standard names, and the event loop lag. */
function processMetrics(registry: Registry): Disposable {
  const { gauge, histogram, readGauge, readCounter } = metersOf(registry);
  readCounter('process_cpu_seconds_total', 'Processor time that the process has used.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  readGauge('process_resident_memory_bytes', 'Memory that the process has resident.', () => process.memoryUsage.rss());
  readGauge(
    'process_open_fds',
    'Files and sockets that the process has open; absent if the system does not report it.',
    openFiles,
  );
  gauge('process_start_time_seconds', 'When the process started, in seconds since the Unix epoch.').set(
    performance.timeOrigin / 1000,
  );
  return eventLoopLag(
    histogram(
      'lurecheck_event_loop_lag_seconds',
      'How late the event loop was when it should have woken, ten times a second.',
      LATENESS,
    ),
  );
}

/** Returns the number of open files; null if the system has no such folder (proc(5)). */
function openFiles(): number | null {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return null;
  }
}

function eventLoopLag(lag: Histogram): Disposable {
  let due = performance.now() + PUNCTUALITY_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    lag.observe(Math.max(0, now - due) / 1000);
    due = now + PUNCTUALITY_MS;
  }, PUNCTUALITY_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** The media type of Prometheus's text format, which every tool of its kind reads. */
const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/** The media type of OpenMetrics 1.0. */
const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/**
 * Converts Prometheus's text to OpenMetrics: a counter has its family's name, without the `_total` of its samples, there are
 * no empty lines, and the end is marked. (The package can write either format, but from the first time that it has written
 * OpenMetrics on, it writes the other with other names.)
 */
function toOpenMetrics(prometheusText: string): string {
  const lines = prometheusText.split('\n').filter((line) => line !== '');
  return `${[...lines.map((line) => line.replace(/^(# (?:HELP|TYPE) \S+)_total /, '$1 ')), '# EOF'].join('\n')}\n`;
}

/** Metrics of a running service. Labels never contain what was checked or by whom. */
export interface Metrics extends CheckMetrics, ServiceMetrics, AsyncDisposable {
  /** The media types of {@link text}. */
  readonly mediaTypes: readonly [string, string];
  /** All of it in the format of a media type. */
  text(mediaType: string): Promise<string>;
}

/** Sources of metrics, queried at each scrape. */
interface MetricSources extends ServiceSources {
  /** Null if the logs are in databases. */
  readonly logs: Pick<LocalLog, 'size' | 'freeDiskBytes'> | null;
  /** Null if the logs are files. */
  readonly databases: MeasuredDatabases | null;
  /** Null if no log server is configured. */
  readonly syslog: OutboxStatus | null;
  /** By channel; empty if no notification is configured. */
  readonly notifications: ReadonlyMap<string, OutboxStatus>;
  /** Result of the last nightly re-scoring; null if there was none. */
  readonly rescored: () => StoredOutcome | null;
  readonly parts: { measure(registry: Registry): Promise<void> };
}

/** Opens the metrics. */
export async function openMetrics(sources: MetricSources): Promise<Metrics> {
  const registry = new Registry();
  const process = processMetrics(registry);
  const meters = metersOf(registry);
  if (sources.logs) logMetrics(meters, sources.logs);
  if (sources.databases) databaseMetrics(meters, sources.databases);
  if (sources.syslog) syslogMetrics(meters, sources.syslog);
  if (sources.notifications.size > 0) notificationMetrics(meters, sources.notifications);
  rescoreMetrics(meters, sources.rescored);
  const [checks, service] = [checkMetrics(registry), serviceMetrics(registry, sources)];
  await sources.parts.measure(registry);
  return {
    ...checks,
    ...service,
    mediaTypes: [PROMETHEUS_TEXT, OPEN_METRICS],
    async text(mediaType) {
      const text = await registry.metrics();
      return mediaType === OPEN_METRICS ? toOpenMetrics(text) : text;
    },
    [Symbol.asyncDispose]: async () => process[Symbol.dispose](),
  };
}
