/** A place between two checks: the one before it in the list, newest first. */
export interface Position {
  readonly checkedAtMs: number;
  readonly id: number;
}

/** The text given as a cursor is not one that a page of the history gave out. */
export class BadCursorError extends Error {
  override readonly name = 'BadCursorError';
  readonly code = 'bad_cursor';

  constructor() {
    super('is not a cursor of this history: leave it out, or take next_cursor of the page before');
  }
}

/** The text that stands for a position, safe in a URL. */
export function writeCursor(position: Position): string {
  return Buffer.from(`${position.checkedAtMs}.${position.id}`).toString('base64url');
}

/** @throws BadCursorError where {@link writeCursor} never wrote such a text */
export function readCursor(cursor: string): Position {
  const match = /^(\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(cursor.slice(0, 64), 'base64url').toString('latin1'));
  const position = { checkedAtMs: Number(match?.[1]), id: Number(match?.[2]) };
  if (!match || writeCursor(position) !== cursor) throw new BadCursorError();
  return position;
}
