import { readdirSync } from 'node:fs';
import type { Histogram, Registry } from 'prom-client';
import { metersOf } from '#src/app/parts/meters.ts';

/** Interval of event-loop measurements, in milliseconds: no stall of that length is missed. */
const PUNCTUALITY_MS = 100;

/** Upper bounds in seconds. */
const LATENESS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Registers the process metrics under Prometheus's standard names, and the event loop lag. */
export function processMetrics(registry: Registry): Disposable {
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
