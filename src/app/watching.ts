import type { DataFile, FileFault } from '#src/admin/active/file-faults.ts';
import { diskRoom } from '#src/checks/store/file/file-system.ts';
import type { LogHealth, ScanLog } from '#src/checks/store/scan-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { type Lazy, openLazily } from '#src/core/base/lazily.ts';
import { createFirstSeen, type Notice, notice } from '#src/core/base/text/condition.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { Readiness, ServicePart } from '#src/service/server/health-routes.ts';
import type { LimiterStatus } from '#src/service/server/limiter/quota.ts';
import type { Background } from './background.ts';
import { publicConditions } from './conditions.ts';
import type { ConfigFor } from './config.ts';
import type { Engine } from './engine.ts';
import type { OpenedService } from './opened-service.ts';
import type { Provided } from './parts.ts';

/** Public notice about a limiter that cannot be reached. */
const LIMITER_AWAY = notice(
  'limiter_unavailable',
  'The shared limiter is unavailable: this node counts its clients alone.',
);

const LIMITER_OUTDATED = notice(
  'limiter_outdated',
  'A former primary of the limiter accepts writes beside the server that replaced it: make it a replica.',
);

/** Sources of the readiness of a service. */
export interface ReadinessSources {
  readonly config: ConfigFor<'serve'>;
  readonly log: Pick<ScanLog, 'health'>;
  /** Aborted once load balancers should drain the node. */
  readonly leaving: AbortSignal;
  /** Null if no limiter is configured. */
  readonly limiter: Pick<LimiterStatus, 'isUnavailable' | 'hasOutdated'> | null;
  readonly engine: Pick<Engine, 'modelVersion' | 'lists'>;
  /** Files of the data directory that cannot be used. */
  readonly faults: () => readonly FileFault[];
  readonly background: Pick<Background, 'packs' | 'listSources' | 'alerts' | 'fleet' | 'fleetProblem'>;
  readonly notifier: Pick<Provided<'openNotifier'>, 'channels' | 'notices'>;
  /** If feeds are enabled, and what keeps them from changing. */
  readonly feeds: () => { readonly isOn: boolean; readonly notices: readonly Notice[] };
  /** Remembers since when other conditions exist. */
  readonly firstSeen: ReturnType<typeof createFirstSeen>;
  /** Notices about web proxies, mail servers and name servers, and about what passed unexamined. */
  readonly gateNotices: () => readonly Notice[];
}

/** Returns whether the service accepts checks, with the state of its components and notices. */
export async function readinessOf(sources: ReadinessSources): Promise<Readiness> {
  const { log, leaving, limiter, background, notifier } = sources;
  const health = await log.health();
  const parts = partsOf(sources, health);
  if (leaving.aborted) return { problem: { code: 'stopping', detail: STOPPING }, notices: [], conditions: [], parts };
  const problem = health.problem ?? background.fleetProblem();
  const faults = sources.faults().map(faultNotice);
  const listSources = background.listSources();
  const updates = [...background.packs().notices, ...listSources.notices];
  const raised = background.alerts();
  const ofParts = [...sources.feeds().notices, ...notifier.notices(), ...sources.gateNotices()];
  const before = [...health.notices, ...background.fleet(), ...updates, ...faults];
  const after = [...ofParts, ...limiterNotices(limiter)];
  // The condition of a source has its cause as well.
  const others = sources.firstSeen([...before, ...after].filter(({ code }) => code !== 'list_source_failed'));
  const texts = (notices: readonly Notice[]) => notices.map(({ text }) => text);
  const conditions = publicConditions({
    ...{ alerts: raised, sources: listSources.sources, others, nowMs: systemClock.now() },
  });
  return {
    problem: problem === null ? null : { code: 'log_unavailable', detail: problem },
    notices: [...texts(before), ...raised.map((alert) => alert.notice), ...texts(after)],
    conditions,
    parts,
  };
}

/** Returns the notice of a file that cannot be used. */
function faultNotice({ file, notice: text, list }: FileFault): Notice {
  return notice(`${file}_unusable`, text, list === undefined ? {} : { list });
}

function limiterNotices(limiter: ReadinessSources['limiter']): Notice[] {
  return [...(limiter?.isUnavailable ? [LIMITER_AWAY] : []), ...(limiter?.hasOutdated ? [LIMITER_OUTDATED] : [])];
}

const STOPPING = 'The service is shutting down.';

function partsOf(
  { config, leaving, limiter, engine, background, notifier, faults, feeds }: ReadinessSources,
  { problems, noticesOf }: LogHealth,
): ServicePart[] {
  const part = (name: string, state: ServicePart['state'], detail: string | null = null) => ({ name, state, detail });
  const logPart = (log: Visibility) => {
    const [name, problem, notices] = [`${log}_log`, problems[log], noticesOf[log]];
    if (problem !== null) return part(name, 'failed', problem);
    return part(name, notices.length > 0 ? 'degraded' : 'ok', joined(notices) || null);
  };
  const isUnavailable = limiter?.isUnavailable ?? null;
  /** A part of which a file cannot be used is degraded. */
  const degradable = (name: DataFile, whole: () => ServicePart) => {
    const of = faults().filter(({ file }) => file === name || (name === 'lists' && file === 'named_list'));
    return of.length === 0 ? whole() : part(name, 'degraded', joined(of.map(faultNotice)));
  };
  return [
    leaving.aborted ? part('service', 'failed', STOPPING) : part('service', 'ok'),
    logPart('public'),
    logPart('private'),
    diskPart(config, part),
    degradable('model', () => part('model', 'ok', engine.modelVersion())),
    degradable('brands', () => part('brands', 'ok')),
    degradable('keys', () => part('keys', 'ok')),
    degradable('lists', () => listsPart(engine, part)),
    sourcesPart(background.listSources(), part),
    degradable('packs', () => packsPart(background.packs(), part)),
    notificationsPart(notifier, part),
    feedsPart(feeds(), part),
    config.network === 'none' ? part('network', 'off') : part('network', 'ok', config.network),
    isUnavailable === null
      ? part('limiter', 'off')
      : isUnavailable
        ? part('limiter', 'degraded', LIMITER_AWAY.text)
        : part('limiter', 'ok'),
  ];
}

const joined = (notices: readonly Notice[]) => notices.map(({ text }) => text).join(' ');

function listsPart(
  { lists: { block, allow, stored } }: ReadinessSources['engine'],
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
  return notices.length > 0 ? part('list_sources', 'degraded', joined(notices)) : part('list_sources', 'ok');
}

function notificationsPart(
  notifier: ReadinessSources['notifier'],
  part: (name: string, state: ServicePart['state'], detail?: string) => ServicePart,
): ServicePart {
  if (notifier.channels.size === 0) return part('notifications', 'off');
  const notices = notifier.notices();
  return notices.length > 0 ? part('notifications', 'degraded', joined(notices)) : part('notifications', 'ok');
}

/** Returns the state of the feeds. */
function feedsPart(
  { isOn, notices }: ReturnType<ReadinessSources['feeds']>,
  part: (name: string, state: ServicePart['state'], detail?: string) => ServicePart,
): ServicePart {
  if (!isOn) return part('feeds', 'off');
  return notices.length > 0 ? part('feeds', 'degraded', joined(notices)) : part('feeds', 'ok');
}

/** Faulty packs degrade the service; their content stays active. */
function packsPart(
  { packs, refused, notices }: ReturnType<Background['packs']>,
  part: (name: string, state: ServicePart['state'], detail?: string) => ServicePart,
): ServicePart {
  const texts = notices.map(({ text }) => text);
  const said = refused.length === 0 ? texts : [...texts, `${refused.length} files of the drop folder are refused.`];
  if (said.length > 0) return part('packs', 'degraded', said.join(' '));
  if (packs.length === 0) return part('packs', 'off');
  return part('packs', 'ok', packs.map(({ name, version }) => `${name} ${version}`).join(', '));
}

/** Below the floor, the oldest checks are deleted to log new ones. */
function diskPart(
  { data_dir: dataDir, disk_floor_percent: floor }: ConfigFor<'serve'>,
  part: (name: string, state: ServicePart['state'], detail?: string) => ServicePart,
): ServicePart {
  try {
    const { lacks, text } = diskRoom(dataDir, floor);
    return part('disk', lacks === null ? 'ok' : 'degraded', text);
  } catch {
    return part('disk', 'failed', 'The data directory cannot be examined.');
  }
}

/** Readiness and metrics of a service. */
export interface Watching extends AsyncDisposable {
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Lazy<Provided<'openMetrics'>>;
}

/** Opens readiness, and metrics when they are first read: at once with `admin_listen`, otherwise by a key's first scrape. */
export async function openWatching(service: OpenedService): Promise<Watching> {
  const { live, openedLog, notifier, checking, parts, rotations, stop, tools } = service;
  const { engine, background, dataFiles, sharedLimits } = checking;
  const firstSeen = createFirstSeen(systemClock.now);
  const readiness = () =>
    readinessOf({
      ...{ config: live.running, log: openedLog.log, leaving: stop.leaving.signal },
      ...{ limiter: sharedLimits, engine, background, notifier, firstSeen, faults: dataFiles.faults },
      feeds: () => ({
        isOn: live.running.feeds || live.running.zone_listen.length > 0,
        notices: parts.get('feeds')?.feedNotices() ?? [],
      }),
      gateNotices: () => [...tools.reloadNotices(), ...rotations.notices(), ...parts.notices()],
    });
  const metrics = openLazily(async () => {
    const { openEngineMetrics } = await import('./admin.ts');
    const opened = await openEngineMetrics({
      ...{ logs: openedLog.local, databases: openedLog.databases, syslog: tools.syslog },
      ...{ notifier, engine, background, limiter: sharedLimits, parts },
      isReady: async () => (await readiness()).problem === null,
    });
    checking.measure(opened);
    return opened;
  });
  if (live.running.admin_listen) await metrics.get();
  return { readiness, metrics, [Symbol.asyncDispose]: metrics[Symbol.asyncDispose] };
}
