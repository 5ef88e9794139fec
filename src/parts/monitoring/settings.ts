import { NOTIFICATION_SETTINGS, WEBHOOK_RULE } from '#src/parts/monitoring/notifications/settings.ts';
import { SYSLOG_RULE, SYSLOG_SETTINGS } from '#src/parts/monitoring/syslog/settings.ts';

/** Settings of notifications and of a log server. */
export const MONITORING_SETTINGS = {
  tables: { 'A log server': SYSLOG_SETTINGS, Notifications: NOTIFICATION_SETTINGS },
  rules: [SYSLOG_RULE, WEBHOOK_RULE],
};
