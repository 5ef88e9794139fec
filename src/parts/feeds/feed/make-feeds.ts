import { gzipSync } from 'node:zlib';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { ListSettings } from '#src/network/lists/settings.ts';
import { blockListWriter } from '#src/parts/export/blocked/block-format.ts';
import type { BlockedEntry, BlockList, Omission } from '#src/parts/export/blocked/block-list.ts';
import { blockedNow, type NamedDigests } from '#src/parts/export/blocked/blocked-now.ts';
import { withoutExceptions } from '#src/parts/export/blocked/plain-lists.ts';
import { rpzHead, rpzRecords } from '#src/parts/export/blocked/rpz.ts';
import { ZONE_NAME } from '#src/parts/feeds/zone/protocol/settings.ts';
import type { Feed, FeedName, FeedState } from './feed.ts';

/** Inputs of the feeds. */
export interface FeedTask {
  readonly settings: ListSettings & { readonly data_dir: string };
  /** Contents that the files of the settings must have. */
  readonly digests: NamedDigests;
  readonly names: readonly FeedName[];
  /** Name of this node, in the first line of some feeds. */
  readonly source: string;
  readonly previous: FeedState;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** Time that the clock has shown before, in milliseconds since the Unix epoch; 0 if unknown. */
  readonly clockFloorMs: number;
}

/** Feeds of one state of the lists. */
export interface MadeFeeds {
  readonly feeds: ReadonlyMap<FeedName, Feed>;
  /** See {@link FeedState}. */
  readonly revision: number;
  /** Next expiry that changes the feeds, in milliseconds since the Unix epoch; null if nothing expires. */
  readonly endsMs: number | null;
}

/** A resolver asks for the serial this often. With the hour of a file, a new entry would take an hour. */
const REFRESH_SECONDS = 60;

/** Formats whose readers know no exception and are not written for firewalls alone. */
const WITHOUT_EXCEPTIONS: readonly FeedName[] = ['plain', 'stix'];

/**
 * Creates feeds from the entries that the lists block now and those blocked by `checks`. An unchanged text keeps its
 * time, and so its serial; a new one has a later time than its predecessor, even if the clock was set back. Takes
 * seconds of processor time for 200,000 entries.
 *
 * @throws OperationError if a list cannot be read: feeds are never made from a part of the lists
 */
export async function makeFeeds(task: FeedTask, checks: AsyncIterable<BlockedEntry>): Promise<MadeFeeds> {
  const { settings, digests, names, previous, nowMs } = task;
  const { list, revision, endsMs } = await blockedNow(settings, checks, nowMs, digests);
  if (revision === 0 && previous.revision > 0)
    throw new OperationError('feeds_failed', [
      'the stored lists are missing, and a feed was made of them before; restore them from a backup, or remove feeds.json if they were removed on purpose',
    ]);
  const feeds = new Map<FeedName, Feed>();
  for (const name of names) feeds.set(name, await makeFeed(name, list, task));
  return { feeds, revision, endsMs };
}

async function makeFeed(
  name: FeedName,
  list: BlockList,
  { source, previous, nowMs, clockFloorMs }: FeedTask,
): Promise<Feed> {
  const leftOut = new Map<Omission, number>();
  const omit = (reason: Omission) => void leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  const written = WITHOUT_EXCEPTIONS.includes(name) ? { blocked: withoutExceptions(list, omit), allowed: [] } : list;
  const subject = { source, isPrivate: false, zone: ZONE_NAME, refreshSeconds: REFRESH_SECONDS };
  // The serial follows from what is behind it, and no other format contains a time.
  const write = name === 'rpz' ? rpzRecords : await blockListWriter(name);
  const body = joined(write({ ...written, ...subject, nowMs: 0, omit }));
  const sha256 = new Bun.CryptoHasher('sha256').update(`${source}\n`).update(body).digest('hex');
  const before = previous.feeds[name];
  const now = Math.floor(Math.max(nowMs, clockFloorMs) / 1000);
  const changedMs =
    1000 * (before?.sha256 === sha256 ? before.changed_at : Math.max(now, (before?.changed_at ?? 0) + 1));
  const head = name === 'rpz' ? rpzHead({ ...subject, nowMs: changedMs }) : '';
  const text = joined([head], body);
  return { sha256, changedMs, text, packed: new Uint8Array(gzipSync(text)), lines: linesIn(text), leftOut };
}

/** Pieces of text are encoded this many characters at a time. */
const BATCH = 1024 * 1024;

/** Encodes pieces of text, and appends bytes to them, in memory of its own that can be transferred to another thread. */
function joined(pieces: Iterable<string>, rest: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let waiting = '';
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length < BATCH) continue;
    parts.push(Buffer.from(waiting));
    waiting = '';
  }
  return new Uint8Array(Buffer.concat([...parts, Buffer.from(waiting), rest]));
}

function linesIn(text: Uint8Array): number {
  let lines = 0;
  for (let at = text.indexOf(0x0a); at !== -1; at = text.indexOf(0x0a, at + 1)) lines++;
  return lines;
}
