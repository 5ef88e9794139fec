import { definePart } from '#src/parts/define-part.ts';
import { MONITORING_SETTINGS } from './settings.ts';

/** Alerts, notifications, metrics and a log server. */
export const monitoringPart = definePart({
  name: 'monitoring',
  settings: MONITORING_SETTINGS,
  conditions: ['notifications_failed'],
  commands: { audit: async () => (await import('./command/audit.ts')).auditCommand },
  provides: {
    openSyslog: async () => (await import('./open-syslog.ts')).openSyslog,
    readSyslogAuthorities: async () => (await import('./open-syslog.ts')).readSyslogAuthorities,
    openNotifier: async () => (await import('./open-notifier.ts')).openNotifier,
    openAlerts: async () => (await import('./open-alerts.ts')).openAlerts,
    openMetrics: async () => (await import('#src/parts/monitoring/metrics/metrics.ts')).openMetrics,
  },
  examine: {
    alerts: async () => (await import('./examine-alerts.ts')).examineAlerts,
    notifications: async () => (await import('./examine-alerts.ts')).examineNotifications,
  },
});
