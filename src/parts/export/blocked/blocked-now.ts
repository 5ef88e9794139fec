import { MASK } from '#src/checks/record/redact/mask.ts';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import { formatIp } from '#src/core/base/addresses/ip.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Host } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { entryOfUrl, quoted } from '#src/network/lists/entry.ts';
import { readNamedList } from '#src/network/lists/named-list.ts';
import type { ListSettings } from '#src/network/lists/settings.ts';
import { NEVER } from '#src/network/lists/stored/entry-facts.ts';
import { createEntryTable } from '#src/network/lists/stored/entry-table.ts';
import { type ListState, readListState, type StoredVersion } from '#src/network/lists/stored/list-state.ts';
import { verifiedRows } from '#src/network/lists/stored/load-version.ts';
import {
  authorityOf,
  readStoredEntry,
  type StoredEntry,
  writeStoredEntry,
} from '#src/network/lists/stored/stored-entry.ts';
import { openStoredLists } from '#src/network/lists/stored/stored-list.ts';
import type { VersionRow } from '#src/network/lists/stored/version-file.ts';
import type { Suspect } from '#src/parts/export/suspects.ts';
import { suspectsAmong } from '#src/parts/export/suspects.ts';
import type { BlockedEntry, BlockList } from './block-list.ts';

/** The blocked and allowed entries at a time. */
interface BlockedNow {
  readonly list: BlockList;
  /** Number of lists that are left out because they have a weight, and so do not block alone. */
  readonly weighedLists: number;
  /** Revision of the stored lists; 0 if there is no file of them. */
  readonly revision: number;
  /** Earliest time at which an entry expires, in milliseconds since the Unix epoch; null if none does. */
  readonly endsMs: number | null;
}

/** Digests of the files that `block_list` and `allow_list` name, in their order. */
export interface NamedDigests {
  readonly block: readonly string[];
  readonly allow: readonly string[];
}

/**
 * Combines what `checks` blocked with the active lists, each entry once, by the rules of a check: a list in the
 * settings overrides all others; of stored lists, the narrower entry decides, and of equal ones the allowing one. Any
 * allowing entry overrides what checks blocked.
 *
 * @param digests required contents of the list files in the settings, in their order; by default any
 * @throws OperationError if a list cannot be read, is damaged, or has other contents
 */
export async function blockedNow(
  settings: ListSettings & { readonly data_dir: string },
  checks: AsyncIterable<BlockedEntry>,
  nowMs: number,
  digests: NamedDigests | null = null,
): Promise<BlockedNow> {
  const [named, stored] = [await readNamed(settings, nowMs, digests), await readStored(settings.data_dir, nowMs)];
  const [storedAllowed, namedAllowed] = [entryLookup(stored.allow), entryLookup(named.allow)];
  const blocked = new Map<string, BlockedEntry>();
  for await (const one of checks) {
    const text = writeStoredEntry(one.entry);
    if (storedAllowed.covers(one.entry) || namedAllowed.covers(one.entry)) continue;
    // They come newest first.
    blocked.set(text, { ...(blocked.get(text) ?? one), sinceMs: one.sinceMs });
  }
  const checked = new Map(blocked);
  for (const { block } of [stored, named]) {
    for (const [text, said] of block) {
      if (!named.block.has(text) && stored.allow.has(text)) continue;
      blocked.set(text, storedAllowed.covers(said.entry) ? { ...said, isInAllowed: true } : said);
    }
  }
  return {
    list: { blocked: [...blocked.values()], allowed: allowedWithin(blocked, checked, named, stored) },
    weighedLists: stored.weighed,
    revision: stored.revision,
    endsMs: stored.endsMs === Number.POSITIVE_INFINITY ? null : stored.endsMs,
  };
}

/** Returns the allowed entries within blocked ones. */
function allowedWithin(
  blocked: ReadonlyMap<string, BlockedEntry>,
  checked: ReadonlyMap<string, BlockedEntry>,
  named: ListEntries,
  stored: ListEntries,
): StoredEntry[] {
  if (named.allow.size + stored.allow.size === 0) return [];
  const [byNamed, byStored, byChecks, byAll] = [named.block, stored.block, checked, blocked].map(entryLookup);
  const ofStored = entriesOf(stored.allow).filter((entry) => byAll?.covers(entry) && !byNamed?.covers(entry));
  const ofNamed = entriesOf(named.allow).filter(
    (entry) => byChecks?.covers(entry) && !byNamed?.covers(entry) && !byStored?.covers(entry),
  );
  return [...ofStored, ...ofNamed];
}

/** Entries of lists by their text in `writeStoredEntry`. The first list with an entry determines it. */
interface ListEntries {
  readonly block: Map<string, BlockedEntry>;
  readonly allow: Map<string, BlockedEntry>;
}

function entriesOf(said: ReadonlyMap<string, BlockedEntry>): StoredEntry[] {
  return [...said.values()].map(({ entry }) => entry);
}

async function readNamed(
  { block_list, allow_list }: ListSettings,
  nowMs: number,
  digests: NamedDigests | null,
): Promise<ListEntries> {
  const say: ListEntries = { block: new Map(), allow: new Map() };
  const files = [
    ...block_list.map((path, at) => ['block', 'block_list', path, digests?.block[at]] as const),
    ...allow_list.map((path, at) => ['allow', 'allow_list', path, digests?.allow[at]] as const),
  ];
  for (const [action, setting, path, digest] of files) {
    const { name, list, changedAtMs } = await readNamedList(setting, path);
    if (digests !== null && list.digest !== digest)
      throw new OperationError('changed_meanwhile', [
        `the list ${name} has changed since the service read it; reload the service (SIGHUP)`,
      ]);
    const times = { sinceMs: changedAtMs ?? nowMs, untilMs: null };
    for (const { entry } of list.entries) add(say[action], writeStoredEntry(entry), listed(entry, whyOf(name), times));
  }
  return say;
}

/** Entries of the stored lists, their revision, and the earliest expiry. */
type StoredEntries = ListEntries & Pick<BlockedNow, 'revision'> & { readonly weighed: number; readonly endsMs: number };

/** Reads the stored lists as one state names them: a concurrent change may remove the files of the earlier one. */
async function readStored(dataDir: string, nowMs: number): Promise<StoredEntries> {
  const state = await readListState(dataDir);
  try {
    return await readStoredOf(dataDir, state, nowMs);
  } catch (error) {
    if ((await readListState(dataDir)).revision === state.revision) throw error;
    return await readStored(dataDir, nowMs);
  }
}

async function readStoredOf(dataDir: string, { lists, revision }: ListState, nowMs: number): Promise<StoredEntries> {
  const say: ListEntries = { block: new Map(), allow: new Map() };
  const deciding = lists.filter(({ weight }) => weight === null);
  const exceptions: BlockedEntry[] = [];
  let endsMs = Number.POSITIVE_INFINITY;
  for (const version of deciding) {
    const why = whyOf(version.name);
    for await (const row of activeRows(dataDir, version, nowMs)) {
      const times = { sinceMs: row.addedAt * 1000, untilMs: row.expiresAt === null ? null : row.expiresAt * 1000 };
      endsMs = Math.min(endsMs, times.untilMs ?? endsMs);
      const said = listed(entryOfRow(row, version), why, times);
      if (!row.isException) add(say[version.action], row.entry, said);
      else if (version.action === 'block') exceptions.push(said);
    }
  }
  const blocks =
    exceptions.length === 0 ? [] : (await openStoredLists(dataDir)).filter(({ version }) => isBlocking(version));
  for (const one of exceptions) {
    const target = parseTarget(urlWithin(one.entry));
    // It takes what it covers off its own list, and has no say beyond that.
    if (!isTargetProblem(target) && blocks.every(({ find }) => find(target, nowMs) === null))
      add(say.allow, writeStoredEntry(one.entry), one);
  }
  return { ...say, weighed: lists.length - deciding.length, revision, endsMs };
}

function isBlocking({ action, weight }: StoredVersion): boolean {
  return action === 'block' && weight === null;
}

async function* activeRows(dataDir: string, version: StoredVersion, nowMs: number): AsyncGenerator<VersionRow> {
  for await (const rows of verifiedRows(dataDir, version)) {
    yield* rows.filter(
      ({ quarantine, expiresAt }) => quarantine === null && (expiresAt === null || expiresAt * 1000 > nowMs),
    );
  }
}

/** Parses a stored entry. Throws OperationError if it is invalid. */
function entryOfRow({ entry: text }: VersionRow, { name }: StoredVersion): StoredEntry {
  const entry = readStoredEntry(text);
  if (!('problem' in entry)) return entry;
  throw new OperationError('file_damaged', [`the list ${name} is damaged: ${quoted(text)} ${entry.problem}`]);
}

function whyOf(list: string): string {
  return `Blocked by the list ${list}`;
}

function listed(entry: StoredEntry, why: string, times: Pick<BlockedEntry, 'sinceMs' | 'untilMs'>): BlockedEntry {
  return { entry, why, ...times, isExact: false, isInAllowed: false };
}

function add(entries: Map<string, BlockedEntry>, text: string, one: BlockedEntry): void {
  if (!entries.has(text)) entries.set(text, one);
}

/** Answers whether one of some entries covers another one whole. */
function entryLookup(entries: ReadonlyMap<string, unknown>): { covers(entry: StoredEntry): boolean } {
  if (entries.size === 0) return { covers: () => false };
  const table = createEntryTable();
  for (const text of entries.keys()) {
    const bytes = Buffer.from(text, 'latin1');
    table.add(bytes, 0, bytes.length, { line: 1, addedAt: 0, expiresAt: NEVER, isException: false });
  }
  return {
    covers(entry) {
      const target = parseTarget(urlWithin(entry));
      const found = isTargetProblem(target) ? null : table.find(target, 0);
      // A URL covers no host, however much of it lies below.
      return found !== null && (entry.kind === 'address' || entry.kind === 'beginning' || !isUrl(found.entry));
    },
  };
}

function isUrl(entry: string): boolean {
  return entry.startsWith('http://');
}

/** The shortest URL that an entry covers. */
function urlWithin(entry: StoredEntry): string {
  if (entry.kind === 'block') return `http://${authorityOf({ host: formatIp(entry.block.network), port: null })}/`;
  return entry.kind === 'host'
    ? `http://${authorityOf({ host: entry.host, port: null })}/`
    : writeStoredEntry(entry).replace(/\*$/, '');
}

/** Entries that checks blocked. */
export interface BlockedByChecks {
  readonly entries: AsyncIterable<BlockedEntry>;
  /** Number of URLs that yielded no entry, because they are masked or the front page of a shared host. */
  skippedUrls(): number;
}

/**
 * Collects what checks blocked: a host with its subdomains if it has one publisher, or else the URL.
 *
 * @param hasManyPublishers true if a host has publishers other than the URL's
 */
export function blockedByChecks(
  checks: AsyncIterable<LogEntry>,
  hasManyPublishers: (host: Host) => boolean,
): BlockedByChecks {
  let skippedUrls = 0;
  return {
    entries: (async function* () {
      for await (const suspect of suspectsAmong(checks)) {
        if (suspect.decision !== 'block') continue;
        const entry = entryOf(suspect, hasManyPublishers);
        if (entry === null) skippedUrls += 1;
        else yield entry;
      }
    })(),
    skippedUrls: () => skippedUrls,
  };
}

function entryOf(
  { url, host, isFrontPage, timestamp, reason }: Suspect,
  hasManyPublishers: (host: Host) => boolean,
): BlockedEntry | null {
  if (host === null) return null;
  const said = {
    why: reason ?? 'Blocked by lurecheck',
    sinceMs: Date.parse(timestamp),
    untilMs: null,
    isExact: true,
    isInAllowed: false,
  };
  if (!hasManyPublishers(host)) return { entry: { kind: 'host', host: host.text }, ...said };
  const target = parseTarget(url);
  const isFindable = !isTargetProblem(target) && !`${target.path}?${target.query}`.includes(MASK);
  return isFindable && !isFrontPage ? { entry: entryOfUrl(target), ...said } : null;
}
