import { DECISIONS } from '#src/checks/record/check-result.ts';
import { VIAS } from '#src/checks/record/decided-by.ts';
import { requestIdsIn } from '#src/core/base/request-id.ts';
import type { LoggedMessage } from '../messages/stored-message.ts';
import { fitsColumns, IS, storedBytes, type TableRow } from './table-rows.ts';

/** Columns of the table of messages by their values. */
const MESSAGE = [
  ...[IS.nothing, IS.requestId, IS.oneOf(DECISIONS.length), IS.oneOf(1.000_001), IS.number, IS.oneOf(VIAS.length)],
  ...[IS.oneOf(2), IS.oneOf(2), IS.number, IS.number, IS.number, IS.bytes, IS.bytes, IS.optional(IS.hash), IS.oneOf(2)],
];

/** Returns true if a row is the whole check of a message. */
export function isMessage(row: TableRow): boolean {
  return row.id > 0 && row.whole === MESSAGE.length && fitsColumns(row, MESSAGE);
}

/** Returns the message of such a row. */
export function messageOf({ id, values }: TableRow, settings: ReadonlyMap<number, string>): LoggedMessage {
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
