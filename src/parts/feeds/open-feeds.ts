import { accessSync, constants } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ConfigFor } from '#src/app/config.ts';
import type { Engine } from '#src/app/engine.ts';
import type { LogPlaceSettings } from '#src/app/open-log.ts';
import type { OpenedPart, Service } from '#src/app/parts/service.ts';
import { MINUTE_MS, systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { plainLine } from '#src/core/base/text/untrusted-text.ts';
import { workerUrl } from '#src/core/base/threads/run-in-thread.ts';
import { listsFolder } from '#src/network/lists/stored/list-state.ts';
import type { ZoneService } from '#src/parts/feeds/zone/open-zone.ts';
import { readClockFloor } from '#src/parts/packs/packs/pack-time.ts';
import { type FeedSource, type Feeds, openFeeds } from './feed/feeds.ts';
import type { FeedTask, MadeFeeds } from './feed/make-feeds.ts';

/** A task for the thread. */
export interface FeedThreadTask extends FeedTask {
  /** Log of the public checks whose blocked hosts are added; null for none. */
  readonly log: LogPlaceSettings | null;
}

/** The feeds, or the reason why there are none. */
export type FeedAnswer = MadeFeeds | { readonly problem: string };

/** Longest time for making feeds, in milliseconds: a hundred times that of 200,000 entries. */
const TIMEOUT_MS = 10 * 60_000;

/**
 * Makes feeds in a thread of their own, which ends afterwards and so returns its memory.
 *
 * @throws OperationError if a list or the log cannot be read, if it takes too long, or once `signal` is aborted
 */
export async function makeInThread(task: FeedThreadTask, signal: AbortSignal): Promise<MadeFeeds> {
  const answer = Promise.withResolvers<FeedAnswer>();
  const fail = (problem: string) => answer.resolve({ problem });
  const worker = new Worker(workerUrl('parts/feeds/feed-worker.ts'));
  const timer = setTimeout(() => fail('making the feeds took more than ten minutes'), TIMEOUT_MS);
  const stop = () => fail('the service stops');
  signal.addEventListener('abort', stop, { once: true });
  worker.unref();
  worker.onmessage = ({ data }: MessageEvent<FeedAnswer>) => answer.resolve(data);
  worker.onerror = ({ message }) => fail(`the thread that makes the feeds failed: ${message}`);
  worker.postMessage(task);
  try {
    const made = await answer.promise;
    if ('problem' in made) throw new OperationError('feeds_failed', [made.problem]);
    return made;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    worker.terminate();
  }
}

/** Interval of feeds with hosts blocked by checks, in milliseconds: firewalls pull every five minutes. */
const CHECKS_EVERY_MS = 5 * MINUTE_MS;

/** The feeds of a service, and the transfer of the zone that is made of them. */
export interface OpenedFeeds extends OpenedPart, Pick<Feeds, 'pull'> {
  /** Returns why the feeds do not change; empty if they do. */
  readonly feedNotices: Feeds['notices'];
}

/** Opens the feeds, and the zone transfer if an address is configured. Throws ListenError. */
export async function openFeedsPart({ running, engine, logger }: Service): Promise<OpenedFeeds> {
  await using opened = new AsyncDisposableStack();
  const feeds = opened.use(openServiceFeeds(running, engine, logger));
  const zone = running().zone_listen.length > 0 ? await openTransfer({ running, feeds, logger }) : null;
  opened.use(zone);
  const closing = opened.move();
  return {
    ...zone,
    pull: feeds.pull,
    feedNotices: feeds.notices,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

const openTransfer = async (service: ZoneService) =>
  (await import('#src/parts/feeds/zone/open-zone.ts')).openZone(service);

/** Opens the feeds of a service, which are made of the lists that are active in its engine. */
function openServiceFeeds(
  running: () => ConfigFor<'serve'>,
  engine: Pick<Engine, 'lists' | 'faults'>,
  logger: Logger,
): Feeds {
  const { data_dir: dataDir } = running();
  const stopping = new AbortController();
  const feeds = openFeeds({
    dataDir,
    isOn: () => running().feeds || running().zone_listen.length > 0,
    source: () => sourceOf(running(), engine),
    make: (task) => {
      const { feed_checks: withChecks, ...config } = running();
      return makeInThread({ ...task, log: withChecks ? logPlaceOf(config) : null }, stopping.signal);
    },
    clock: systemClock,
    logger,
  });
  return {
    ...feeds,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await feeds[Symbol.asyncDispose]();
    },
  };
}

function sourceOf(config: ConfigFor<'serve'>, { lists, faults }: Pick<Engine, 'lists' | 'faults'>): FeedSource {
  const { block, allow, stored } = lists;
  const { data_dir, block_list, allow_list, feed_checks: withChecks } = config;
  const source = plainLine(config.node_name ?? hostname());
  return {
    stamp: [block, allow, stored, withChecks, source],
    settings: { data_dir, block_list, allow_list },
    digests: { block: block.map(({ index }) => index.digest), allow: allow.map(({ index }) => index.digest) },
    source,
    clockFloorMs: readClockFloor(data_dir) ?? 0,
    everyMs: withChecks ? CHECKS_EVERY_MS : null,
    fault:
      faults().find(({ file }) => file === 'lists' || file === 'named_list')?.problem ??
      unreadableAmong([
        ...block_list,
        ...allow_list,
        ...stored.map(({ version }) => join(listsFolder(data_dir), version.file)),
      ]),
  };
}

/** Why one of the files of the lists cannot be read; null if all can. */
function unreadableAmong(paths: readonly string[]): string | null {
  for (const path of paths) {
    try {
      accessSync(path, constants.R_OK);
    } catch (error) {
      return `the list in ${path} cannot be read: ${error instanceof Error ? error.message : error}`;
    }
  }
  return null;
}

function logPlaceOf(config: Omit<ConfigFor<'serve'>, 'feed_checks'>) {
  const { data_dir, log_database, log_database_private, client_key_file, node_name, log_timeout_seconds } = config;
  return { data_dir, log_database, log_database_private, client_key_file, node_name, log_timeout_seconds };
}
