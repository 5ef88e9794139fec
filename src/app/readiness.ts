import type { DataFile, FileFault } from '#src/admin/active/file-faults.ts';
import type { PacksStatus } from '#src/admin/pack-updates/follow-packs.ts';
import { freeDiskPercent, missingDiskBytes } from '#src/checks/store/file/file-system.ts';
import type { LogHealth, ScanLog } from '#src/checks/store/scan-log.ts';
import type { Notifier } from '#src/service/notifications/notifier.ts';
import type { Readiness, ServicePart } from '#src/service/server/health-routes.ts';
import type { LimiterStatus } from '#src/service/server/limiter/redis-windows.ts';
import type { Background } from './background.ts';
import type { ConfigFor } from './config.ts';
import type { Engine } from './engine.ts';

/** What everybody may know of a limiter that cannot be reached. */
const LIMITER_AWAY = 'The limiter that the nodes share is away: this one counts its clients alone.';

const LIMITER_OUTDATED =
  'A former primary of the limiter takes writes beside the server that took its place: make it a replica.';

/** What says whether a service takes checks, and how its parts are. */
export interface ReadinessSources {
  readonly config: ConfigFor<'serve'>;
  readonly log: Pick<ScanLog, 'health'>;
  /** Aborted once whoever balances load is to send no more. */
  readonly leaving: AbortSignal;
  /** Null where no limiter is shared. */
  readonly limiter: () => Pick<LimiterStatus, 'isUnavailable' | 'hasOutdated'> | null;
  /** What judges, and by which lists. */
  readonly judging: () => Pick<Engine, 'modelVersion' | 'lists'>;
  /** Files of the data directory that cannot be used. */
  readonly faults: () => readonly FileFault[];
  readonly beside: () => Pick<Background, 'packs' | 'listSources' | 'alerts' | 'fleet'>;
  readonly notifier: Pick<Notifier, 'channels' | 'notices'>;
}

/** Whether checks can be taken now. */
export async function readinessOf(sources: ReadinessSources): Promise<Readiness> {
  const { log, leaving, limiter, notifier } = sources;
  const beside = sources.beside();
  const health = await log.health();
  const parts = partsOf(sources, health);
  if (leaving.aborted) return { problem: { code: 'stopping', detail: STOPPING }, notices: [], parts };
  const { problem } = health;
  const faults = sources.faults().map(({ notice }) => notice);
  const told = [...beside.packs().notices, ...beside.listSources().notices];
  const alerts = beside.alerts().map(({ notice }) => notice);
  const notices = [...health.notices, ...beside.fleet(), ...told, ...faults, ...alerts, ...notifier.notices()];
  return {
    problem: problem === null ? null : { code: 'log_unavailable', detail: problem },
    notices: [...notices, ...limiterNotices(limiter())],
    parts,
  };
}

function limiterNotices(limiter: ReturnType<ReadinessSources['limiter']>): string[] {
  return [...(limiter?.isUnavailable ? [LIMITER_AWAY] : []), ...(limiter?.hasOutdated ? [LIMITER_OUTDATED] : [])];
}

const STOPPING = 'The service is shutting down.';

function partsOf(
  { config, leaving, limiter, judging, beside, notifier, faults }: ReadinessSources,
  { problems, notices }: LogHealth,
): ServicePart[] {
  const part = (name: string, state: ServicePart['state'], detail: string | null = null) => ({ name, state, detail });
  const logPart = (name: string, problem: string | null) =>
    problem === null
      ? part(name, notices.length > 0 ? 'degraded' : 'ok', notices.join(' ') || null)
      : part(name, 'failed', problem);
  const isUnavailable = limiter()?.isUnavailable ?? null;
  /** A part of which a file cannot be used is degraded. */
  const degradable = (name: DataFile, whole: () => ServicePart) => {
    const of = faults().filter(({ file }) => file === name || (name === 'lists' && file === 'named_list'));
    return of.length === 0 ? whole() : part(name, 'degraded', of.map(({ notice }) => notice).join(' '));
  };
  return [
    leaving.aborted ? part('service', 'failed', STOPPING) : part('service', 'ok'),
    logPart('public_log', problems.public),
    problems.private === null ? part('private_log', 'ok') : part('private_log', 'failed', problems.private),
    diskPart(config, part),
    degradable('model', () => part('model', 'ok', judging().modelVersion())),
    degradable('brands', () => part('brands', 'ok')),
    degradable('keys', () => part('keys', 'ok')),
    degradable('lists', () => listsPart(judging(), part)),
    sourcesPart(beside().listSources(), part),
    degradable('packs', () => packsPart(beside().packs(), part)),
    notificationsPart(notifier, part),
    config.network === 'none' ? part('network', 'off') : part('network', 'ok', config.network),
    isUnavailable === null
      ? part('limiter', 'off')
      : isUnavailable
        ? part('limiter', 'degraded', LIMITER_AWAY)
        : part('limiter', 'ok'),
  ];
}

function listsPart(
  { lists: { block, allow, stored } }: ReturnType<ReadinessSources['judging']>,
  part: (name: string, state: ServicePart['state'], detail?: string) => ServicePart,
): ServicePart {
  const lists = block.length + allow.length + stored.length;
  return lists === 0 ? part('lists', 'off') : part('lists', 'ok', `${lists} are active.`);
}

function sourcesPart(
  { count, notices }: ReturnType<Background['listSources']>,
  part: (name: string, state: ServicePart['state'], detail?: string) => ServicePart,
): ServicePart {
  if (count === 0) return part('list_sources', 'off');
  return notices.length > 0 ? part('list_sources', 'degraded', notices.join(' ')) : part('list_sources', 'ok');
}

function notificationsPart(
  notifier: ReadinessSources['notifier'],
  part: (name: string, state: ServicePart['state'], detail?: string) => ServicePart,
): ServicePart {
  if (notifier.channels.size === 0) return part('notifications', 'off');
  const notices = notifier.notices();
  return notices.length > 0 ? part('notifications', 'degraded', notices.join(' ')) : part('notifications', 'ok');
}

/** What packs say goes on, whatever is wrong with them. */
function packsPart(
  { packs, refused, notices }: PacksStatus,
  part: (name: string, state: ServicePart['state'], detail?: string) => ServicePart,
): ServicePart {
  const said = refused.length === 0 ? notices : [...notices, `${refused.length} files of the drop folder are refused.`];
  if (said.length > 0) return part('packs', 'degraded', said.join(' '));
  if (packs.length === 0) return part('packs', 'off');
  return part('packs', 'ok', packs.map(({ name, version }) => `${name} ${version}`).join(', '));
}

/** Below its floor the oldest checks go, and others are logged in their place. */
function diskPart(
  { data_dir: dataDir, disk_floor_percent: floor }: ConfigFor<'serve'>,
  part: (name: string, state: ServicePart['state'], detail?: string) => ServicePart,
): ServicePart {
  try {
    const isShort = missingDiskBytes(dataDir, floor) > 0;
    return part('disk', isShort ? 'degraded' : 'ok', `${freeDiskPercent(dataDir)} % is free.`);
  } catch {
    return part('disk', 'failed', 'The data directory cannot be examined.');
  }
}
