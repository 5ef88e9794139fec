import { accessSync, constants } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ConfigFor } from '#src/app/config.ts';
import type { Engine } from '#src/app/engine.ts';
import type { OpenedPart, Service } from '#src/app/parts/service.ts';
import { MINUTE_MS, systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { plainLine } from '#src/core/base/text/untrusted-text.ts';
import { listsFolder } from '#src/network/lists/stored/version-file.ts';
import { readClockFloor } from '#src/parts/packs/packs/clock-floor.ts';
import { type FeedSource, type Feeds, openFeeds } from './feed/feeds.ts';
import { makeInThread } from './feed-thread.ts';
import type { ZoneService } from './transfer/open-zone.ts';

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

const openTransfer = async (service: ZoneService) => (await import('./transfer/open-zone.ts')).openZone(service);

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
