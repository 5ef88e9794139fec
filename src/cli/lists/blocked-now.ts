import { formatIp } from '#src/base/ip.ts';
import type { BlockedEntry, BlockList } from '#src/export/blocked/block-list.ts';
import { NEVER } from '#src/lists/kept/entry-facts.ts';
import { createEntryTable } from '#src/lists/kept/entry-table.ts';
import { authorityOf, type KeptEntry, readKeptEntry, writeKeptEntry } from '#src/lists/kept/kept-entry.ts';
import { type ListAction, readListState } from '#src/lists/kept/list-state.ts';
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
 * What `checks` blocked, and what the lists in force block, each once. Of what is both blocked and allowed the narrower
 * holds, of equally narrow entries the one that allows; what checks blocked gives way to whatever allows it.
 */
export async function blockedNow(
  settings: ListSettings & { readonly data_dir: string },
  checks: AsyncIterable<BlockedEntry>,
  nowMs: number,
): Promise<BlockedNow> {
  const lists = await readLists(settings, nowMs);
  const allowed = entryLookup(lists.allowed.keys());
  const blocked = new Map<string, BlockedEntry>();
  for await (const one of checks) {
    const text = writeKeptEntry(one.entry);
    if (allowed.covers(one.entry)) continue;
    // They come newest first.
    blocked.set(text, { ...(blocked.get(text) ?? one), sinceMs: one.sinceMs });
  }
  for (const [text, { entry, list, sinceMs, untilMs }] of lists.blocked) {
    if (lists.allowed.has(text)) continue;
    const said = { why: `Blocked by the list ${list}`, sinceMs, untilMs, isExact: false };
    blocked.set(text, { entry, ...said, isInAllowed: allowed.covers(entry) });
  }
  const all = entryLookup(blocked.keys());
  const within = [...lists.allowed.values()].map(({ entry }) => entry).filter((entry) => all.covers(entry));
  return { list: { blocked: [...blocked.values()], allowed: within }, weighedLists: lists.weighed };
}

/** What lists say, by what `writeKeptEntry` writes. An entry stays as the first list has it. */
interface ListsSay {
  readonly block: Map<string, Said>;
  readonly allow: Map<string, Said>;
}

async function readLists(settings: ListSettings & { readonly data_dir: string }, nowMs: number) {
  const say: ListsSay = { block: new Map(), allow: new Map() };
  const named = [
    ...settings.block_list.map((path) => ['block', 'block_list', path] as const),
    ...settings.allow_list.map((path) => ['allow', 'allow_list', path] as const),
  ];
  for (const [action, setting, path] of named) {
    const { name, list, changedAtMs } = await readNamedList(setting, path);
    for (const { entry } of list.entries) {
      add(say[action], { entry, list: name, sinceMs: changedAtMs ?? nowMs, untilMs: null });
    }
  }
  const { lists } = await readListState(settings.data_dir);
  const deciding = lists.filter(({ weight }) => weight === null);
  for (const { name, action, file } of deciding) {
    for await (const rows of readVersion(settings.data_dir, file)) {
      for (const row of rows) takeRow(say, row, { name, action, nowMs });
    }
  }
  return { blocked: say.block, allowed: say.allow, weighed: lists.length - deciding.length };
}

/** Of a row that is in force. What a block list takes off itself is let through; what an allow list does not allow is not blocked. */
function takeRow(
  say: ListsSay,
  { entry: text, addedAt, expiresAt, quarantine, isException }: VersionRow,
  { name, action, nowMs }: { readonly name: string; readonly action: ListAction; readonly nowMs: number },
): void {
  const entry = readKeptEntry(text);
  const untilMs = expiresAt === null ? null : expiresAt * 1000;
  const isInForce = quarantine === null && (untilMs === null || untilMs > nowMs);
  if ('problem' in entry || !isInForce || (isException && action === 'allow')) return;
  add(say[isException ? 'allow' : action], { entry, list: name, sinceMs: addedAt * 1000, untilMs });
}

function add(entries: Map<string, Said>, one: Said): void {
  const text = writeKeptEntry(one.entry);
  if (!entries.has(text)) entries.set(text, one);
}

/** Answers whether one of some entries covers another one whole. */
function entryLookup(texts: Iterable<string>): { covers(entry: KeptEntry): boolean } {
  const table = createEntryTable();
  for (const text of texts) {
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
