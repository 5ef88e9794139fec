/** A place between two checks: the one before it in the list, newest first. */
export interface Position {
  readonly checkedAtMs: number;
  readonly id: number;
}

/** Where a list goes on. */
export interface Cursor extends Position {
  /** The newest check when the list began: one that came in since is not on it, whatever the clock says that it was. */
  readonly newestId: number;
}

/** The text given as a cursor is not one that a page of the history gave out. */
export class BadCursorError extends Error {
  override readonly name = 'BadCursorError';
  readonly code = 'bad_cursor';

  constructor() {
    super('is not a cursor of this history: leave it out, or take next_cursor of the page before');
  }
}

/** The text that stands for a cursor, safe in a URL. */
export function writeCursor({ checkedAtMs, id, newestId }: Cursor): string {
  return Buffer.from(`${checkedAtMs}.${id}-${newestId}`).toString('base64url');
}

/** @throws BadCursorError where {@link writeCursor} never wrote such a text */
export function readCursor(text: string): Cursor {
  const written = Buffer.from(text.slice(0, 80), 'base64url').toString('latin1');
  const match = /^(\d{1,16})\.(\d{1,16})-(\d{1,16})$/.exec(written);
  const cursor = { checkedAtMs: Number(match?.[1]), id: Number(match?.[2]), newestId: Number(match?.[3]) };
  if (!match || writeCursor(cursor) !== text) throw new BadCursorError();
  return cursor;
}
