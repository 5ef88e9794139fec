import { formatIp } from '#src/base/ip.ts';
import type { BlockedEntry, BlockList } from '#src/export/blocked/block-list.ts';
import { NEVER } from '#src/lists/kept/entry-facts.ts';
import { createEntryTable } from '#src/lists/kept/entry-table.ts';
import { authorityOf, type KeptEntry, readKeptEntry, writeKeptEntry } from '#src/lists/kept/kept-entry.ts';
import { openKeptLists } from '#src/lists/kept/kept-list.ts';
import { type KeptVersion, readListState } from '#src/lists/kept/list-state.ts';
import { readVersion } from '#src/lists/kept/version-file.ts';
import type { VersionRow } from '#src/lists/kept/version-row.ts';
import { readNamedList } from '#src/lists/local-lists.ts';
import type { ListSettings } from '#src/lists/settings.ts';
import { isTargetProblem, parseTarget } from '#src/url/target.ts';

/** What a list says of an entry, and which of them. */
interface Said {
  readonly entry: KeptEntry;
  readonly list: string;
  readonly sinceMs: number;
  readonly untilMs: number | null;
}

/** What is blocked now, and how many lists were passed by because none of them blocks by itself. */
export interface BlockedNow {
  readonly list: BlockList;
  readonly weighedLists: number;
}

/**
 * What `checks` blocked, and what the lists in force block, each once, as they decide about a check: a list that the settings
 * name blocks whatever else is said; of those that are kept, the narrower entry decides, of equals the one that allows. What
 * checks blocked gives way to whatever allows it.
 */
export async function blockedNow(
  settings: ListSettings & { readonly data_dir: string },
  checks: AsyncIterable<BlockedEntry>,
  nowMs: number,
): Promise<BlockedNow> {
  const [named, kept] = [await readNamed(settings, nowMs), await readKept(settings.data_dir, nowMs)];
  const [keptAllowed, namedAllowed] = [entryLookup(kept.allow), entryLookup(named.allow)];
  const blocked = new Map<string, BlockedEntry>();
  for await (const one of checks) {
    const text = writeKeptEntry(one.entry);
    if (keptAllowed.covers(one.entry) || namedAllowed.covers(one.entry)) continue;
    // They come newest first.
    blocked.set(text, { ...(blocked.get(text) ?? one), sinceMs: one.sinceMs });
  }
  const checked = new Map(blocked);
  for (const [text, said] of [...kept.block, ...named.block]) {
    if (named.block.has(text) || !kept.allow.has(text)) blocked.set(text, listed(said, keptAllowed.covers(said.entry)));
  }
  return {
    list: { blocked: [...blocked.values()], allowed: allowedWithin(blocked, checked, named, kept) },
    weighedLists: kept.weighed,
  };
}

/** What is allowed within what is blocked. */
function allowedWithin(
  blocked: ReadonlyMap<string, BlockedEntry>,
  checked: ReadonlyMap<string, BlockedEntry>,
  named: ListsSay,
  kept: ListsSay,
): KeptEntry[] {
  if (named.allow.size + kept.allow.size === 0) return [];
  const [byNamed, byKept, byChecks, byAll] = [named.block, kept.block, checked, blocked].map(entryLookup);
  const ofKept = entriesOf(kept.allow).filter((entry) => byAll?.covers(entry) && !byNamed?.covers(entry));
  const ofNamed = entriesOf(named.allow).filter(
    (entry) => byChecks?.covers(entry) && !byNamed?.covers(entry) && !byKept?.covers(entry),
  );
  return [...ofKept, ...ofNamed];
}

function listed({ entry, list, sinceMs, untilMs }: Said, isInAllowed: boolean): BlockedEntry {
  return { entry, why: `Blocked by the list ${list}`, sinceMs, untilMs, isExact: false, isInAllowed };
}

/** What lists say, by what `writeKeptEntry` writes. An entry stays as the first list has it. */
interface ListsSay {
  readonly block: Map<string, Said>;
  readonly allow: Map<string, Said>;
}

function entriesOf(said: ReadonlyMap<string, Said>): KeptEntry[] {
  return [...said.values()].map(({ entry }) => entry);
}

async function readNamed({ block_list, allow_list }: ListSettings, nowMs: number): Promise<ListsSay> {
  const say: ListsSay = { block: new Map(), allow: new Map() };
  const files = [
    ...block_list.map((path) => ['block', 'block_list', path] as const),
    ...allow_list.map((path) => ['allow', 'allow_list', path] as const),
  ];
  for (const [action, setting, path] of files) {
    const { name, list, changedAtMs } = await readNamedList(setting, path);
    for (const { entry } of list.entries) {
      add(say[action], { entry, list: name, sinceMs: changedAtMs ?? nowMs, untilMs: null });
    }
  }
  return say;
}

async function readKept(dataDir: string, nowMs: number) {
  const say: ListsSay = { block: new Map(), allow: new Map() };
  const { lists } = await readListState(dataDir);
  const deciding = lists.filter(({ weight }) => weight === null);
  const exceptions: Said[] = [];
  for (const { name, action, file } of deciding) {
    for await (const rows of readVersion(dataDir, file)) {
      for (const row of rows) {
        const said = saidOf(row, name, nowMs);
        if (said !== null && !row.isException) add(say[action], said);
        else if (said !== null && action === 'block') exceptions.push(said);
      }
    }
  }
  const blocks =
    exceptions.length === 0 ? [] : (await openKeptLists(dataDir)).filter(({ version }) => isBlocking(version));
  for (const one of exceptions) {
    const target = parseTarget(urlWithin(one.entry));
    // It takes what it covers off its own list, and has no say beyond that.
    if (!isTargetProblem(target) && blocks.every(({ find }) => find(target, nowMs) === null)) add(say.allow, one);
  }
  return { ...say, weighed: lists.length - deciding.length };
}

function isBlocking({ action, weight }: KeptVersion): boolean {
  return action === 'block' && weight === null;
}

/** What a row says that is in force; null for any other. */
function saidOf({ entry: text, addedAt, expiresAt, quarantine }: VersionRow, list: string, nowMs: number): Said | null {
  const entry = readKeptEntry(text);
  const untilMs = expiresAt === null ? null : expiresAt * 1000;
  if ('problem' in entry || quarantine !== null || (untilMs !== null && untilMs <= nowMs)) return null;
  return { entry, list, sinceMs: addedAt * 1000, untilMs };
}

function add(entries: Map<string, Said>, one: Said): void {
  const text = writeKeptEntry(one.entry);
  if (!entries.has(text)) entries.set(text, one);
}

/** Answers whether one of some entries covers another one whole. */
function entryLookup(entries: ReadonlyMap<string, unknown>): { covers(entry: KeptEntry): boolean } {
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
function urlWithin(entry: KeptEntry): string {
  if (entry.kind === 'block') return `http://${authorityOf({ host: formatIp(entry.block.network), port: null })}/`;
  return entry.kind === 'host'
    ? `http://${authorityOf({ host: entry.host, port: null })}/`
    : writeKeptEntry(entry).replace(/\*$/, '');
}
