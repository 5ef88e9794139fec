import { Counter, Gauge, type Registry } from 'prom-client';
import type { OutboxStatus } from '#src/core/base/outbox.ts';

/** Registers the metrics of notifications, one value per channel. */
export function notificationMetrics(registry: Registry, channels: ReadonlyMap<string, OutboxStatus>): void {
  const common = { labelNames: ['channel'] as const, registers: [registry] };
  const gauge = (name: string, help: string, read: (status: OutboxStatus) => number) =>
    new Gauge({
      ...{ name, help, ...common },
      collect() {
        for (const [channel, status] of channels) this.set({ channel }, read(status));
      },
    });
  const counter = (name: string, help: string, read: (status: OutboxStatus) => number) =>
    new Counter({
      ...{ name, help, ...common },
      collect() {
        this.reset();
        for (const [channel, status] of channels) this.inc({ channel }, read(status));
      },
    });
  gauge('lurecheck_notifications_up', 'Whether the last delivery succeeded: 1, or 0.', ({ isUp }) => Number(isUp));
  gauge('lurecheck_notifications_waiting', 'Notifications that are queued.', ({ waiting }) => waiting);
  counter('lurecheck_notifications_sent_total', 'Notifications that were delivered.', ({ sent }) => sent);
  counter(
    'lurecheck_notifications_dropped_total',
    'Notifications that a full queue dropped, or whose delivery was given up.',
    ({ dropped }) => dropped,
  );
}
