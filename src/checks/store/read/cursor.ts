import { requestIdBytes, requestIdText } from '#src/core/base/request-id.ts';
import { BadCursorError } from '../scan-log.ts';
import type { Position } from './check-filter.ts';

/** Where a list goes on: behind a check. */
export interface Cursor extends Pick<Position, 'requestId'> {
  /** The newest check when the list began: one that came in since is not on it, whatever the clock says that it was. */
  readonly newestId: number;
}

const REQUEST_ID_BYTES = 16;
const CURSOR_BYTES = REQUEST_ID_BYTES + 6;

/** The text that stands for a cursor, safe in a URL. */
export function writeCursor({ requestId, newestId }: Cursor): string {
  const bytes = Buffer.alloc(CURSOR_BYTES);
  requestIdBytes(requestId).copy(bytes);
  bytes.writeUIntBE(newestId, REQUEST_ID_BYTES, CURSOR_BYTES - REQUEST_ID_BYTES);
  return bytes.toString('base64url');
}

/** @throws BadCursorError where {@link writeCursor} never wrote such a text */
export function readCursor(text: string): Cursor {
  const bytes = Buffer.from(text.slice(0, 2 * CURSOR_BYTES), 'base64url');
  if (bytes.length !== CURSOR_BYTES || bytes.toString('base64url') !== text) throw new BadCursorError();
  return {
    requestId: requestIdText(bytes.subarray(0, REQUEST_ID_BYTES)),
    newestId: bytes.readUIntBE(REQUEST_ID_BYTES, CURSOR_BYTES - REQUEST_ID_BYTES),
  };
}
