import { runEvery } from '#src/checks/store/upkeep/run-every.ts';
import { MINUTE_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { RaisedAlert } from '#src/core/base/text/condition.ts';
import { type Alert, type AlertCode, type AlertFacts, alertMessage, alertsIn } from './alert.ts';

/** The alerts of a service. Disposing of it ends watching. */
export interface AlertWatch extends Disposable {
  /** Alerts that were active at the last examination. */
  active(): readonly RaisedAlert<AlertCode>[];
}

/** Called with each alert that is raised or cleared. */
export type AlertChange = (alert: Alert, change: 'raised' | 'cleared') => void;

/** Looks for alerts every minute, and logs each when it is raised and when it is cleared. */
export function watchAlerts(
  facts: () => AlertFacts,
  onChange: AlertChange,
  logger: Pick<Logger, 'warn' | 'info' | 'error'>,
  everyMs = MINUTE_MS,
  now = Date.now,
): AlertWatch {
  let active: readonly RaisedAlert<AlertCode>[] = [];
  const has = (alerts: readonly Alert[], { code }: Alert) => alerts.some((one) => one.code === code);
  const watching = runEvery(
    everyMs,
    async () => {
      const next = alertsIn(facts());
      for (const alert of next) {
        if (has(active, alert)) continue;
        logger.warn('alert.raised', { code: alert.code, message: alertMessage(alert) });
        onChange(alert, 'raised');
      }
      for (const alert of active) {
        if (has(next, alert)) continue;
        logger.info('alert.cleared', { code: alert.code });
        onChange(alert, 'cleared');
      }
      active = next.map((alert) => ({
        ...alert,
        sinceMs: active.find(({ code }) => code === alert.code)?.sinceMs ?? now(),
      }));
    },
    (error) => logger.error('alert.failed', { error }),
  );
  return { active: () => active, [Symbol.dispose]: () => watching[Symbol.dispose]() };
}
