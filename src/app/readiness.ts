import type { Readiness, ServicePart } from '#src/service/server/health-routes.ts';
import type { LimiterStatus } from '#src/service/server/limiter/redis-windows.ts';
import { freeDiskPercent, missingDiskBytes } from '#src/checks/store/file/file-system.ts';
import type { LogHealth, ScanLog } from '#src/checks/store/scan-log.ts';
import type { Alert } from '#src/admin/alerts/alert.ts';
import type { ConfigFor } from './config.ts';
import type { Engine } from './engine.ts';
import type { DataFile, FileFault } from '#src/admin/active/file-faults.ts';
import type { FollowedSources } from '#src/admin/lists/sources/follow-sources.ts';
import type { PacksStatus } from '#src/admin/pack-updates/follow-packs.ts';

/** What everybody may know of a limiter that cannot be reached. */
const LIMITER_AWAY = 'The limiter that the nodes share is away: this one counts its clients alone.';

/** What says whether a service takes checks, and how its parts are. */
export interface ReadinessSources {
  readonly config: ConfigFor<'serve'>;
  readonly log: Pick<ScanLog, 'health'>;
  /** Aborted once whoever balances load is to send no more. */
  readonly leaving: AbortSignal;
  /** Null where no limiter is shared. */
  readonly limiter: () => Pick<LimiterStatus, 'isAway'> | null;
  /** What judges, and by which lists. */
  readonly judging: () => Pick<Engine, 'modelVersion' | 'lists'>;
  /** Files of the data directory that cannot be used. */
  readonly faults: () => readonly FileFault[];
  readonly packs: () => PacksStatus;
  readonly listSources: () => ReturnType<FollowedSources['status']>;
  readonly alerts: () => readonly Alert[];
}

/** Whether checks can be taken now. */
export async function readinessOf(sources: ReadinessSources): Promise<Readiness> {
  const { log, leaving, limiter } = sources;
  const health = await log.health();
  const parts = partsOf(sources, health);
  if (leaving.aborted) return { problem: { code: 'stopping', detail: STOPPING }, notices: [], parts };
  const { problem } = health;
  const faults = sources.faults().map(({ notice }) => notice);
  const told = [...sources.packs().notices, ...sources.listSources().notices];
  const alerts = sources.alerts().map(({ notice }) => notice);
  const notices = [...health.notices, ...told, ...faults, ...alerts];
  return {
    problem: problem === null ? null : { code: 'log_unavailable', detail: problem },
    notices: limiter()?.isAway ? [...notices, LIMITER_AWAY] : notices,
    parts,
  };
}

const STOPPING = 'The service is shutting down.';

function partsOf(
  { config, leaving, limiter, judging, packs, listSources, faults }: ReadinessSources,
  { problems, notices }: LogHealth,
): ServicePart[] {
  const part = (name: string, state: ServicePart['state'], detail: string | null = null) => ({ name, state, detail });
  const logPart = (name: string, problem: string | null) =>
    problem === null
      ? part(name, notices.length > 0 ? 'degraded' : 'ok', notices.join(' ') || null)
      : part(name, 'failed', problem);
  const isAway = limiter()?.isAway ?? null;
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
    sourcesPart(listSources(), part),
    degradable('packs', () => packsPart(packs(), part)),
    config.network === 'none' ? part('network', 'off') : part('network', 'ok', config.network),
    isAway === null
      ? part('limiter', 'off')
      : isAway
        ? part('limiter', 'degraded', LIMITER_AWAY)
        : part('limiter', 'ok'),
  ];
}

function listsPart(
  { lists: { block, allow, kept } }: ReturnType<ReadinessSources['judging']>,
  part: (name: string, state: ServicePart['state'], detail?: string) => ServicePart,
): ServicePart {
  const lists = block.length + allow.length + kept.length;
  return lists === 0 ? part('lists', 'off') : part('lists', 'ok', `${lists} are in force.`);
}

function sourcesPart(
  { count, notices }: ReturnType<ReadinessSources['listSources']>,
  part: (name: string, state: ServicePart['state'], detail?: string) => ServicePart,
): ServicePart {
  if (count === 0) return part('list_sources', 'off');
  return notices.length > 0 ? part('list_sources', 'degraded', notices.join(' ')) : part('list_sources', 'ok');
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
    return part('disk', isShort ? 'degraded' : 'ok', `${freeDiskPercent(dataDir)} % are free.`);
  } catch {
    return part('disk', 'failed', 'The folder of the data cannot be looked at.');
  }
}
