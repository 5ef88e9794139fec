import { COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { VIAS } from '#src/checks/record/decided-by.ts';
import { requestIdsIn, requestIdText } from '#src/core/base/request-id.ts';
import type { LoggedMessage } from '../messages/stored-message.ts';
import type { LoggedCheck } from '../write/stored-check.ts';
import { openPages } from './page-source.ts';
import {
  cellCount,
  fitsColumns,
  IS,
  leafAt,
  rowsOn,
  type StoredValue,
  storedBytes,
  type TableRow,
} from './table-rows.ts';

/** Columns of the table of messages by their values. */
const MESSAGE = [
  ...[IS.nothing, IS.requestId, IS.oneOf(DECISIONS.length), IS.oneOf(1.000_001), IS.number, IS.oneOf(VIAS.length)],
  ...[IS.oneOf(2), IS.oneOf(2), IS.number, IS.number, IS.number, IS.bytes, IS.bytes, IS.optional(IS.hash), IS.oneOf(2)],
];

/** Returns true if a row is the whole check of a message. */
function isMessage(row: TableRow): boolean {
  return row.id > 0 && row.whole === MESSAGE.length && fitsColumns(row, MESSAGE);
}

/** Returns the message of such a row. */
function messageOf({ id, values }: TableRow, settings: ReadonlyMap<number, string>): LoggedMessage {
  const [, requestId, decision, probability, active, via, caution, isWhole, linkCount, unchecked, unread, ...rest] =
    values;
  const [reasons, links, client, undelivered] = rest;
  return {
    id,
    requestId: requestIdsIn(storedBytes(requestId))[0] ?? '',
    decision: DECISIONS[Number(decision)] ?? 'warn',
    probability: Number(probability),
    // Without them the message is logged without the version of its model.
    settings: settings.get(Number(active)) ?? '',
    via: VIAS[Number(via)] ?? 'api',
    caution: caution === 1,
    isWhole: isWhole === 1,
    linkCount: Number(linkCount),
    unchecked: Number(unchecked),
    unread: Number(unread),
    reasons: storedBytes(reasons),
    links: requestIdsIn(storedBytes(links)),
    clientHash: Buffer.isBuffer(client) ? client : null,
    isUndelivered: undelivered === 1,
  };
}

/** Content of a damaged log that can still be read. */
export interface DamagedLog extends Disposable {
  readonly extent: FoundInLog;
  /** Returns the next checks in log order, a page at a time, and after them the messages; null at the end. */
  next(): FoundRows | null;
}

/** Rows of a damaged log. */
export interface FoundRows {
  readonly checks: readonly LoggedCheck[];
  readonly messages: readonly LoggedMessage[];
}

/** Extent of a damaged log, and its records of what was deleted and exported. */
export interface FoundInLog {
  /** Number of checks on its pages. */
  readonly checks: number;
  /** Ids of the first and the last one that can be read; 0 if there is none. */
  readonly oldestId: number;
  readonly newestId: number;
  /** Rows in the order of the columns of the schema, without their ids. */
  readonly deletions: readonly StoredValue[][];
  readonly exports: readonly StoredValue[][];
}

/** Reads what can be read of the log at a path, without SQLite. */
export function readDamagedLog(path: string): DamagedLog {
  const source = openPages(path);
  const leaves: { page: number; firstId: number }[] = [];
  const messageLeaves: number[] = [];
  const settings = new Map<number, string>();
  const extent = {
    checks: 0,
    oldestId: 0,
    newestId: 0,
    deletions: [] as StoredValue[][],
    exports: [] as StoredValue[][],
  };

  function examine(number: number): void {
    const page = leafAt(source, number);
    if (page === null) return;
    for (const row of rowsOn(source, number, page)) {
      if (isCheck(row)) {
        leaves.push({ page: number, firstId: row.id });
        extent.checks += cellCount(source, number, page);
        return;
      }
      if (isMessage(row)) {
        messageLeaves.push(number);
        return;
      }
      const [, ...values] = row.values;
      if (fitsColumns(row, SETTINGS)) settings.set(row.id, String(row.values[1]));
      else if (fitsColumns(row, DELETION)) extent.deletions.push(values);
      else if (fitsColumns(row, EXPORT)) extent.exports.push(values);
    }
  }

  for (let page = 1; page <= source.pages; page++) examine(page);
  leaves.sort((a, b) => a.firstId - b.firstId);
  extent.oldestId = leaves[0]?.firstId ?? 0;
  extent.newestId = Math.max(0, ...checksOn(leaves.at(-1)).map(({ id }) => id));
  let at = 0;

  function checksOn(leaf: { page: number } | undefined): LoggedCheck[] {
    const page = leaf && leafAt(source, leaf.page);
    return page ? [...rowsOn(source, leaf.page, page)].filter(isCheck).map((row) => checkOf(row, settings)) : [];
  }

  function messagesOn(number: number): LoggedMessage[] {
    const page = leafAt(source, number);
    return page ? [...rowsOn(source, number, page)].filter(isMessage).map((row) => messageOf(row, settings)) : [];
  }

  return {
    extent,
    next() {
      const leaf = leaves[at++];
      if (leaf) return { checks: checksOn(leaf), messages: [] };
      const page = messageLeaves.shift();
      return page === undefined ? null : { checks: [], messages: messagesOn(page) };
    },
    [Symbol.dispose]: () => source[Symbol.dispose](),
  };
}

/** Columns of the tables by their values. The id is null, because the key of the row has it. */
const SETTINGS = [IS.nothing, IS.text];
const DELETION = [
  IS.nothing,
  IS.number,
  IS.text,
  IS.optional(IS.text),
  IS.hash,
  IS.number,
  IS.number,
  IS.optional(IS.number),
];
const EXPORT = [IS.nothing, IS.number, IS.text, IS.text, IS.hash, IS.optional(IS.number), IS.optional(IS.number)];
const CHECK = [
  ...[IS.nothing, IS.requestId, IS.oneOf(DECISIONS.length), IS.oneOf(1.000_001), IS.number],
  ...[IS.optional(IS.hash), IS.oneOf(2), IS.optional(IS.text), IS.text, IS.number, IS.bytes],
];
/** Columns that rows of older versions lack. */
const LATER = [
  ...[IS.optional(IS.oneOf(COVERAGES.length)), IS.optional(IS.oneOf(2)), IS.optional(IS.text)],
  ...[
    IS.optional(IS.oneOf(VIAS.length)),
    IS.optional(IS.bytes),
    IS.optional(IS.text),
    IS.optional(IS.text),
    IS.optional(IS.text),
  ],
];

function isCheck(row: TableRow): boolean {
  const later = row.values.length - CHECK.length;
  // Its record may be cut short: then the log has the check without its details.
  return (
    row.id > 0 && row.whole >= CHECK.length - 1 && later >= 0 && fitsColumns(row, [...CHECK, ...LATER.slice(0, later)])
  );
}

function checkOf({ id, values, whole }: TableRow, settings: ReadonlyMap<number, string>): LoggedCheck {
  const [, requestId, decision, probability, bucket, client, undelivered, host, url, active, record, ...later] = values;
  const [coverage = null, caution = null, decidingHost, via = null, reasons, list, entry, listOwner] =
    whole === values.length ? later : [];
  const optionalText = (value: StoredValue | undefined) => (typeof value === 'string' ? value : null);
  return {
    id,
    requestId: requestIdText(storedBytes(requestId)),
    decision: DECISIONS[Number(decision)] ?? 'warn',
    probability: Number(probability),
    answerTimeBucket: Number(bucket),
    clientHash: Buffer.isBuffer(client) ? client : null,
    isUndelivered: undelivered === 1,
    host: optionalText(host),
    url: String(url),
    // Without them the check is logged, and its details cannot be read.
    settings: settings.get(Number(active)) ?? '',
    record: whole < CHECK.length ? Buffer.alloc(0) : storedBytes(record),
    coverage: coverage === null ? null : (COVERAGES[Number(coverage)] ?? null),
    caution: caution === null ? null : caution === 1,
    decidingHost: optionalText(decidingHost),
    via: via === null ? null : (VIAS[Number(via)] ?? null),
    reasons: Buffer.isBuffer(reasons) ? reasons : null,
    list: optionalText(list),
    entry: optionalText(entry),
    listOwner: optionalText(listOwner),
  };
}
