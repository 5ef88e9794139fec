import { readdirSync } from 'node:fs';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Interval of event-loop measurements, in milliseconds: no stall of that length is missed. */
const PUNCTUALITY_MS = 100;

/** Upper bounds in seconds. */
const LATENESS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Registers the process metrics under Prometheus's standard names, and the event loop lag. */
export function processMetrics(registry: Registry): Disposable {
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time that the process has used.',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory that the process has resident.',
    registers: [registry],
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'process_open_fds',
    help: 'Files and sockets that the process has open; absent if the system does not report it.',
    registers: [registry],
    collect() {
      const open = openFiles();
      if (open !== null) this.set(open);
    },
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since the Unix epoch.',
    registers: [registry],
  }).set(performance.timeOrigin / 1000);
  return eventLoopLag(registry);
}

/** Returns the number of open files; null if the system has no such folder (proc(5)). */
function openFiles(): number | null {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return null;
  }
}

function eventLoopLag(registry: Registry): Disposable {
  const lag = new Histogram({
    name: 'lurecheck_event_loop_lag_seconds',
    help: 'How late the event loop was when it should have woken, ten times a second.',
    buckets: LATENESS,
    registers: [registry],
  });
  let due = performance.now() + PUNCTUALITY_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    lag.observe(Math.max(0, now - due) / 1000);
    due = now + PUNCTUALITY_MS;
  }, PUNCTUALITY_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
