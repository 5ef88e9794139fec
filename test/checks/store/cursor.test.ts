import { expect, test } from 'bun:test';
import { readCursor, writeCursor } from '#src/checks/store/read/history-pages.ts';
import { BadCursorError } from '#src/checks/store/scan-log.ts';
import { createRequestId } from '#src/core/base/request-id.ts';

const REQUEST_ID = createRequestId(1_700_000_000_000);

test.each([0, 1, 255, 256, 2 ** 32, 2 ** 48 - 1])('a cursor is read back as it was written: %p', (newestId) => {
  const text = writeCursor({ requestId: REQUEST_ID, newestId });
  expect(text).toMatch(/^[\w-]+$/);
  expect(readCursor(text)).toEqual({ requestId: REQUEST_ID, newestId });
});

test('any other cursor text is refused', () => {
  const text = writeCursor({ requestId: REQUEST_ID, newestId: 7 });
  for (const other of ['', 'x', text.slice(1), text.slice(0, -1), `${text}A`, `${text}=`, ` ${text}`, text.repeat(2)])
    expect(() => readCursor(other)).toThrow(BadCursorError);
  // Bits beyond the last byte let two texts stand for the same bytes.
  expect(() => readCursor(`${text.slice(0, -1)}${text.endsWith('B') ? 'C' : 'B'}`)).toThrow(BadCursorError);
});
