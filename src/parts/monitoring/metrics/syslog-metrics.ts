import { Counter, Gauge, type Registry } from 'prom-client';
import type { OutboxStatus } from '#src/core/base/outbox.ts';

/** Registers the metrics of syslog. */
export function syslogMetrics(registry: Registry, syslog: OutboxStatus): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  gauge('lurecheck_syslog_up', 'Whether the log server took what it was last sent: 1, or 0.', () =>
    Number(syslog.isUp),
  );
  gauge('lurecheck_syslog_waiting', 'Messages that wait for the log server.', () => syslog.waiting);
  counter('lurecheck_syslog_sent_total', 'Messages that the log server was sent.', () => syslog.sent);
  counter(
    'lurecheck_syslog_dropped_total',
    'Messages that there was no room for while it was away.',
    () => syslog.dropped,
  );
}
