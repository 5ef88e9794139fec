import { readConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import { type ConditionSources, operatorConditions } from '#src/app/conditions.ts';
import type { ConfigFor } from '#src/app/config.ts';
import type { ShownOrigins } from '#src/app/settings-shown.ts';
import type { COVERAGES } from '#src/checks/record/check-result.ts';
import { freeDiskBytes } from '#src/checks/store/file/file-system.ts';
import type { LocalLog } from '#src/checks/store/local-log.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { OperationError, unlessUnusable } from '#src/core/base/errors/operation-error.ts';
import { VISIBILITIES } from '#src/core/base/visibility.ts';
import type { Decision } from '#src/engine/fusion/fuse.ts';
import { backupsIn } from '#src/parts/backup/archive/list-backups.ts';
import { backupFolderOf } from '#src/parts/backup/archive/scheduled-backups.ts';
import type { ServerParts } from '#src/service/server/app.ts';
import type { Status } from './answers/status-answer.ts';
import type { ConsoleService } from './console-place.ts';

/** Settings that name networks of the operator. */
const NETWORKS = ['rate_limit_cidr', 'feed_peers', 'egress_allow', 'egress_deny'] as const;

const RETENTION = ['retention_days', 'retention_bytes', 'retention_rows'] as const;

/** Inputs of the checklist of a first installation. */
interface ChecklistFacts {
  readonly config: ConfigFor<'serve'>;
  readonly origins: ShownOrigins;
  /** Number of configured brands. */
  readonly brands: number;
  readonly hasBackup: boolean;
}

/** Returns the steps of a first installation: a choice counts as made once a setting states it, even if it is the default. */
function checklistOf({ config, origins, brands, hasBackup }: ChecklistFacts): Status['checklist'] {
  const isSet = (key: keyof typeof config) => (origins[key]?.source ?? 'default') !== 'default';
  const { tls_certificate, trusted_proxy, backup_at, log_database } = config;
  return [
    { code: 'own_brand', done: brands > 0 },
    { code: 'own_networks', done: NETWORKS.some((key) => config[key].length > 0) },
    { code: 'tls', done: tls_certificate !== null || trusted_proxy.length > 0 },
    { code: 'backup', done: backup_at !== null || hasBackup },
    // Of databases, their owner has set it there.
    { code: 'retention', done: log_database.length > 0 || RETENTION.some(isSet) },
    { code: 'history_access', done: isSet('public_history') },
  ];
}

/** Sources of the status. */
export interface StatusSources extends Pick<ConsoleService, 'running'> {
  readonly openedLog: {
    readonly log: Pick<ScanLog, 'activity'>;
    /** Null if the logs are stored in databases. */
    readonly local: Pick<LocalLog, 'size'> | null;
    /** Null if the logs are files. */
    readonly databases: { fleet(): Promise<{ readonly nodes: number }> } | null;
  };
  readonly upkeep: { retention(): Status['storage']['retention'] };
  readonly background: {
    alerts(): ConditionSources['alerts'];
    listSources(): Pick<ConditionSources, 'sources'>;
    renewSources(): Promise<void>;
  };
  /** Codes of conditions that everybody may know as they are, beside those of list sources. */
  readonly conditionCodes: readonly string[];
  readonly readiness: ServerParts['readiness'];
  readonly about: ServerParts['about'];
  readonly origins: () => ShownOrigins;
  /** Start of the service, ISO 8601 UTC. */
  readonly startedAt: string;
}

/** Describes the service to its operator. */
export async function serviceStatus(sources: StatusSources): Promise<Status> {
  const { running, openedLog, upkeep, about } = sources;
  const config = running();
  const { version, model, lists, packs } = await about();
  const [health, checks, backups, waiting, fleet] = await Promise.all([
    healthOf(sources),
    checksToday(openedLog.log),
    backupsIn(backupFolderOf(config)),
    feedbackWaiting(config),
    openedLog.databases?.fleet().catch(() => null) ?? null,
  ]);
  const lastBackup = backups.find(({ complete }) => complete) ?? null;
  // A damaged file is a condition of the status, and does not hide the others.
  const brands = (await unlessUnusable(() => readConfiguredBrandsFile(config.data_dir)))?.length ?? 0;
  return {
    ...health,
    version,
    started_at: sources.startedAt,
    checks,
    storage: {
      bytes: openedLog.local && sizeOf(openedLog.local),
      free_bytes: freeDiskBytes(config.data_dir),
      retention: upkeep.retention(),
    },
    model: { version: model.version, published_at: model.date },
    lists: lists.map(({ name, entries, changed_at }) => ({ name, entries, updated_at: changed_at })),
    packs: packs.map(({ name, version: of, publisher, expires_at }) => ({
      ...{ name, version: of, publisher, expires_at },
    })),
    nodes: fleet === null ? null : fleet.nodes,
    last_backup: lastBackup && { created_at: lastBackup.about.made_at, name: lastBackup.file },
    feedback_waiting: waiting,
    checklist: checklistOf({ config, origins: sources.origins(), brands, hasBackup: lastBackup !== null }),
  };
}

/** Alerts name keys and lists, which the notices for everybody do not. */
async function healthOf({
  readiness,
  background,
  conditionCodes,
}: StatusSources): Promise<Pick<Status, 'health' | 'conditions' | 'list_sources'>> {
  const { problem, conditions: open } = await readiness();
  const { sources } = background.listSources();
  const nowMs = systemClock.now();
  const others = open.filter(({ code }) => code !== 'list_source_failed' && conditionCodes.includes(code));
  const found = operatorConditions({ alerts: background.alerts(), sources, others, nowMs });
  const refusing = problem && {
    ...{ code: problem.code, severity: 'error' as const, since: new Date(nowMs).toISOString(), args: {} },
    ...{ message: problem.detail, remedy: null },
  };
  const conditions = (refusing ? [refusing, ...found] : found).map((one) => ({ ...one, args: { ...one.args } }));
  const notices = conditions.map(({ code, message, remedy }) => ({ code, text: message, remedy }));
  const state = problem ? 'failed' : notices.length > 0 ? 'degraded' : 'ready';
  return { health: { state, notices }, conditions, list_sources: sources.map((source) => ({ ...source })) };
}

async function checksToday(log: Pick<ScanLog, 'activity'>): Promise<Status['checks']> {
  const midnight = new Date(Math.floor(systemClock.now() / DAY_MS) * DAY_MS).toISOString();
  const { hours, coverages } = (await log.activity('public')) ?? { hours: [], coverages: [] };
  const today = hours.filter(({ start }) => start >= midnight);
  const decided = (decision: Decision) => today.reduce((sum, hour) => sum + hour[decision], 0);
  const by_decision = { allow: decided('allow'), warn: decided('warn'), block: decided('block') };
  const covered = (coverage: (typeof COVERAGES)[number]) => coverages.filter((one) => one === coverage).length;
  return {
    today: by_decision.allow + by_decision.warn + by_decision.block,
    by_decision,
    by_coverage: { full: covered('full'), partial: covered('partial'), url_only: covered('url_only') },
  };
}

function sizeOf(local: Pick<LocalLog, 'size'>): number {
  return VISIBILITIES.map((visibility) => local.size(visibility)).reduce(
    (total, { usedBytes, walBytes }) => total + usedBytes + walBytes,
    0,
  );
}

/** Counts none if the feedback cannot be read: the rest of the status says why. */
async function feedbackWaiting(config: ConfigFor<'serve'>): Promise<number> {
  const { openFeedbackReview } = await import('#src/parts/fleet/feedback.ts');
  try {
    await using review = await openFeedbackReview(config);
    return review ? (await review.counts()).waiting : 0;
  } catch (error) {
    if (!(error instanceof OperationError || error instanceof StoreError)) throw error;
    return 0;
  }
}
