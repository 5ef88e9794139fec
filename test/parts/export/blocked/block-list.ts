import { readStoredEntry, type StoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import type {
  BlockedEntry,
  BlockList,
  BlockListSubject,
  Omission,
  WriteBlockList,
} from '#src/parts/export/blocked/block-list.ts';

export const SUBJECT: BlockListSubject = {
  source: 'box-1',
  nowMs: Date.UTC(2027, 0, 1),
  isPrivate: false,
  zone: 'rpz.example',
};

/** Entries of every kind. */
export const EVERY_KIND = [
  'evil.example',
  'http://only.example/',
  '192.0.2.7',
  '198.51.100.0/24',
  '2001:db8::1',
  'https://shared.example/kit',
  'https://shared.example/kit/?a=b',
  'https://shared.example/login-*',
  'https://shared.example:8443/x/',
];

const SINCE = Date.UTC(2026, 11, 1);

function entryOf(text: string): StoredEntry {
  const entry = readStoredEntry(text);
  if ('problem' in entry) throw new Error(`${text} ${entry.problem}`);
  return entry;
}

/** A list of entries as they are written in lists; `within` are such as lie in what is allowed. */
export function blockList(
  blocked: readonly string[],
  allowed: readonly string[] = [],
  within: readonly string[] = [],
): BlockList {
  const one = (text: string, isInAllowed: boolean): BlockedEntry => ({
    ...{ entry: entryOf(text), why: 'Blocked by the list feed', sinceMs: SINCE, untilMs: null },
    ...{ isExact: false, isInAllowed },
  });
  return {
    blocked: [...blocked.map((text) => one(text, false)), ...within.map((text) => one(text, true))],
    allowed: allowed.map(entryOf),
  };
}

/** What is written of a list: the text, its lines but for those of an empty list, and what was left out. */
export function written(write: WriteBlockList, list: BlockList, subject = SUBJECT) {
  const omitted: Omission[] = [];
  const text = [...write({ ...list, ...subject, omit: (reason) => omitted.push(reason) })].join('');
  const empty = [...write({ ...blockList([]), ...subject, omit: () => {} })].join('').split('\n');
  return { text, lines: text.split('\n').filter((line) => !empty.includes(line)), omitted };
}
