import type { DataFile, FileFault } from '#src/admin/active/file-faults.ts';
import { diskRoom } from '#src/checks/store/file/file-system.ts';
import type { LogHealth, ScanLog } from '#src/checks/store/scan-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { type Lazy, openLazily } from '#src/core/base/lazily.ts';
import { createFirstSeen, type Notice, notice } from '#src/core/base/text/condition.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { Readiness, ServicePart } from '#src/service/server/health-routes.ts';
import type { Background } from './background.ts';
import { publicConditions } from './conditions.ts';
import type { ConfigFor } from './config.ts';
import type { Engine } from './engine.ts';
import type { OpenedService } from './opened-service.ts';
import type { Provided } from './parts.ts';

/** Sources of the readiness of a service. */
export interface ReadinessSources {
  readonly config: ConfigFor<'serve'>;
  readonly log: Pick<ScanLog, 'health'>;
  /** Aborted once load balancers should drain the node. */
  readonly leaving: AbortSignal;
  /** Null if no limiter is configured. */
  readonly limiter: Pick<NonNullable<Provided<'openSharedLimits'>>, 'notices'> | null;
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
  const after = [...ofParts, ...(limiter?.notices() ?? [])];
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
  return notice(file === 'audit' ? 'log_damaged' : `${file}_unusable`, text, list === undefined ? {} : { list });
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
  const listSources = background.listSources();
  const lists = engine.lists.block.length + engine.lists.allow.length + engine.lists.stored.length;
  /** A part that works is degraded by its notices. */
  const noticed = (name: string, isOn: boolean, notices: readonly Notice[]) => {
    if (!isOn) return part(name, 'off');
    return notices.length > 0 ? part(name, 'degraded', joined(notices)) : part(name, 'ok');
  };
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
    degradable('lists', () => (lists === 0 ? part('lists', 'off') : part('lists', 'ok', `${lists} are active.`))),
    noticed('list_sources', listSources.count > 0, listSources.notices),
    degradable('packs', () => ({ name: 'packs', ...background.packs().readiness })),
    noticed('notifications', notifier.channels.size > 0, notifier.notices()),
    noticed('feeds', feeds().isOn, feeds().notices),
    config.network === 'none' ? part('network', 'off') : part('network', 'ok', config.network),
    noticed('limiter', limiter !== null, limiter?.notices() ?? []),
  ];
}

const joined = (notices: readonly Notice[]) => notices.map(({ text }) => text).join(' ');

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
