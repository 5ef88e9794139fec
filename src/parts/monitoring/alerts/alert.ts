import type { ApiKey } from '#src/admin/keys/api-key.ts';
import { runEvery } from '#src/checks/store/upkeep/run-every.ts';
import { DAY_MS, MINUTE_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { ActiveAlert, RaisedAlert } from '#src/core/base/text/condition.ts';
import { counted } from '#src/core/base/text/counted.ts';
import type { StoredVersion } from '#src/network/lists/stored/list-state.ts';
import type { BackupStatus } from '#src/parts/backup/archive/scheduled-backups.ts';

/** Conditions that an operator must act on before something fails. */
export const ALERT_CODES = [
  'backup_failed',
  'backup_old',
  'key_expires',
  'feed_not_pulled',
  'certificate_expires',
  'list_stale',
  'model_old',
  'gate_watching',
] as const;

type AlertCode = (typeof ALERT_CODES)[number];

/** An alert that is active. */
export type Alert = ActiveAlert<AlertCode>;

/** Returns an alert in one text with names: for the operator alone. */
export function alertMessage({ fact, remedy }: Alert): string {
  return remedy === null ? fact : `${fact} ${remedy}`;
}

/** Inputs of the alerts. */
export interface AlertFacts {
  readonly nowMs: number;
  /** Null if no backup is scheduled. */
  readonly backup: BackupStatus | null;
  readonly keys: readonly Pick<ApiKey, 'name' | 'expires_at' | 'scopes'>[];
  /** Last pull of a feed since startup, by key name, in milliseconds since the Unix epoch. */
  readonly pulls: ReadonlyMap<string, number>;
  /** Expiry of the service's certificate, in milliseconds since the Unix epoch; null without TLS. */
  readonly certificateEndsMs: number | null;
  readonly lists: readonly Pick<StoredVersion, 'name' | 'source' | 'changed_at'>[];
  /** `YYYY-MM-DD` */
  readonly modelDate: string;
  /** Start of the gate's watch mode, in milliseconds since the Unix epoch; null or absent in other modes. */
  readonly gateWatchingSinceMs?: number | null;
}

/** Two days: one missed daily backup is tolerated. */
const OLD_BACKUP_MS = 2 * DAY_MS;
/** Time to give out another key. */
const KEY_NOTICE_MS = 14 * DAY_MS;
/** The same for a firewall, which may stop to enforce its list when it can no longer log in. */
const FEED_KEY_NOTICE_MS = 30 * DAY_MS;
/** Firewalls pull at least each hour. */
const UNPULLED_MS = DAY_MS;
/** Certificates by ACME are renewed 30 days before their end; a shorter one is due if that failed. */
const CERTIFICATE_NOTICE_MS = 14 * DAY_MS;
/** Feeds change daily, so an older list has lost its importer. */
const STALE_LIST_MS = 30 * DAY_MS;
/** Phishing changes: a model of last year sees less of it. */
const OLD_MODEL_MS = 365 * DAY_MS;
/** Watch mode longer than this is reported: a month of traffic suffices to decide. */
const LONG_WATCH_MS = 30 * DAY_MS;

/** The alerts that follow from facts. */
export function alertsIn(facts: AlertFacts): Alert[] {
  return [
    ...backupAlerts(facts),
    ...keyAlerts(facts),
    ...feedAlerts(facts),
    ...certificateAlerts(facts),
    ...listAlerts(facts),
    ...modelAlerts(facts),
    ...gateAlerts(facts),
  ];
}

function backupAlerts({ nowMs, backup }: AlertFacts): Alert[] {
  if (backup === null) return [];
  if (backup.problem !== null) {
    const fact = `The last scheduled backup failed: ${backup.problem}`;
    const args = { cause: backup.problem };
    return [{ code: 'backup_failed', args, fact, remedy: null, notice: 'The last scheduled backup failed.' }];
  }
  if (backup.newestMs === null || nowMs - backup.newestMs < OLD_BACKUP_MS) return [];
  const notice = `The latest scheduled backup is ${days(nowMs - backup.newestMs)} old.`;
  const args = { days: wholeDays(nowMs - backup.newestMs) };
  return [{ code: 'backup_old', args, fact: notice, remedy: 'See why none was made since.', notice }];
}

function keyAlerts({ nowMs, keys }: AlertFacts): Alert[] {
  const ending = keys.filter(({ expires_at: end, scopes }) => {
    const leftMs = end === null ? Number.POSITIVE_INFINITY : Date.parse(end) - nowMs;
    return leftMs > 0 && leftMs < (scopes.includes('feed') ? FEED_KEY_NOTICE_MS : KEY_NOTICE_MS);
  });
  if (ending.length === 0) return [];
  const isLater = ending.some(({ expires_at: end }) => Date.parse(end ?? '') - nowMs >= KEY_NOTICE_MS);
  const daysLeft = (isLater ? FEED_KEY_NOTICE_MS : KEY_NOTICE_MS) / DAY_MS;
  const names = ending.map(({ name, expires_at: end }) => `${name} on ${end?.slice(0, 10)}`).join(', ');
  return [
    {
      code: 'key_expires',
      args: { keys: names },
      fact: `Keys expire: ${names}.`,
      remedy: 'Create others by lurecheck key create.',
      notice: `${counted(ending.length, 'key')} will expire within ${daysLeft} days.`,
    },
  ];
}

/** A key that was revoked or has expired is not missed. */
function feedAlerts({ nowMs, keys, pulls }: AlertFacts): Alert[] {
  const active = keys.filter(({ expires_at: end }) => end === null || Date.parse(end) > nowMs);
  const missed = active.filter(({ name }) => nowMs - (pulls.get(name) ?? nowMs) >= UNPULLED_MS);
  if (missed.length === 0) return [];
  const names = missed.map(({ name }) => `${name} since ${iso(pulls.get(name) ?? nowMs)}`).join(', ');
  return [
    {
      code: 'feed_not_pulled',
      args: { keys: names },
      fact: `No feed was pulled with these keys: ${names}.`,
      remedy: 'See whether their appliances still reach the service.',
      notice: `${counted(missed.length, 'key')} pulled no feed for a day.`,
    },
  ];
}

function iso(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16);
}

function certificateAlerts({ nowMs, certificateEndsMs: end }: AlertFacts): Alert[] {
  if (end === null || end - nowMs >= CERTIFICATE_NOTICE_MS) return [];
  const notice =
    end <= nowMs
      ? 'The certificate of the service has expired.'
      : `The certificate of the service expires in ${days(end - nowMs)}.`;
  const args = { date: new Date(end).toISOString().slice(0, 10) };
  const remedy = 'Renew tls_certificate, and send SIGHUP.';
  return [{ code: 'certificate_expires', args, fact: notice, remedy, notice }];
}

function listAlerts({ nowMs, lists }: AlertFacts): Alert[] {
  const stale = lists.filter(
    ({ source, changed_at: at }) => source !== null && nowMs - Date.parse(at) >= STALE_LIST_MS,
  );
  if (stale.length === 0) return [];
  const names = stale.map(({ name, changed_at: at }) => `${name} since ${at.slice(0, 10)}`).join(', ');
  const fact = `Imported lists did not change: ${names}.`;
  const remedy = 'See whether what imports them still runs.';
  const notice = `${counted(stale.length, 'imported list')} did not change for 30 days or more.`;
  return [{ code: 'list_stale', args: { lists: names }, fact, remedy, notice }];
}

function modelAlerts({ nowMs, modelDate }: AlertFacts): Alert[] {
  const ageMs = nowMs - Date.parse(modelDate);
  if (ageMs < OLD_MODEL_MS) return [];
  const notice = `The model is ${days(ageMs)} old.`;
  const args = { days: wholeDays(ageMs) };
  const remedy = 'Upgrade lurecheck, or install a pack with a newer one.';
  return [{ code: 'model_old', args, fact: notice, remedy, notice }];
}

function gateAlerts({ nowMs, gateWatchingSinceMs: since = null }: AlertFacts): Alert[] {
  if (since === null || nowMs - since < LONG_WATCH_MS) return [];
  const notice = `The gate has watched for ${days(nowMs - since)} and holds nothing.`;
  return [
    {
      code: 'gate_watching',
      args: { days: wholeDays(nowMs - since) },
      fact: notice,
      remedy: 'Read lurecheck gate report, and set gate_mode to hold.',
      notice,
    },
  ];
}

function wholeDays(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

function days(ms: number): string {
  return counted(wholeDays(ms), 'day');
}

/** The alerts of a service. Disposing of it ends watching. */
interface AlertWatch extends Disposable {
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
