import { requestIdBytes, requestIdText } from '#src/core/base/request-id.ts';
import { BadCursorError } from '../scan-log.ts';
import type { Position } from './check-filter.ts';

/** Position after which a list continues. */
export interface Cursor extends Pick<Position, 'requestId'> {
  /** Id of the latest check when the list began: later ones are not on it, whatever their time. */
  readonly newestId: number;
}

const REQUEST_ID_BYTES = 16;
const CURSOR_BYTES = REQUEST_ID_BYTES + 6;

/** Encodes a cursor as URL-safe text. */
export function writeCursor({ requestId, newestId }: Cursor): string {
  const bytes = Buffer.alloc(CURSOR_BYTES);
  requestIdBytes(requestId).copy(bytes);
  bytes.writeUIntBE(newestId, REQUEST_ID_BYTES, CURSOR_BYTES - REQUEST_ID_BYTES);
  return bytes.toString('base64url');
}

/** Decodes a cursor. Throws BadCursorError for text that {@link writeCursor} did not write. */
export function readCursor(text: string): Cursor {
  const bytes = Buffer.from(text.slice(0, 2 * CURSOR_BYTES), 'base64url');
  if (bytes.length !== CURSOR_BYTES || bytes.toString('base64url') !== text) throw new BadCursorError();
  return {
    requestId: requestIdText(bytes.subarray(0, REQUEST_ID_BYTES)),
    newestId: bytes.readUIntBE(REQUEST_ID_BYTES, CURSOR_BYTES - REQUEST_ID_BYTES),
  };
}
