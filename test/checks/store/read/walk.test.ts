import { expect, test } from 'bun:test';
import { placeIn, readPlace, writePlace } from '#src/checks/store/read/walk.ts';
import { BadCursorError } from '#src/checks/store/scan-log.ts';
import { createRequestId } from '#src/core/base/request-id.ts';

const [own, other] = [createRequestId(1000), createRequestId(2000)];
const BEGINNING = readPlace('');

test('a position is read back as it was written, and any other text is refused', () => {
  for (const id of [0, 1, 255, 256, 2 ** 40 + 7]) {
    const place = { requestId: own, id };
    const text = writePlace(place);
    expect(readPlace(text)).toEqual(place);
    for (const wrong of [text.slice(1), text.slice(0, -1), `${text}A`, `A${text}`, `${text}=`, ` ${text}`, 'x', '='])
      expect(() => readPlace(wrong)).toThrow(BadCursorError);
  }
});

test.each([
  ['its check is there', 7, 7, own, 'there'],
  ['its check was deleted', 7, 9, null, 'there'],
  ['its number is the last one, and was deleted', 7, 7, null, 'there'],
  ['another check has its number', 7, 9, other, 'beginning'],
  ['its number was not assigned yet', 7, 6, null, 'beginning'],
  ['it is the first, and the log is empty', 1, 0, null, 'beginning'],
  ['it is the first, and another check has its number', 1, 1, other, 'beginning'],
])('if %s, a walk continues from its position or restarts', (_, id, lastId, standing, where) => {
  const place = { requestId: own, id };
  expect(placeIn(place, lastId, standing)).toEqual(where === 'there' ? place : BEGINNING);
});

test('a walk without a position starts at the beginning of any log', () => {
  for (const [lastId, standing] of [
    [0, null],
    [5, null],
    [5, other],
  ] as const)
    expect(placeIn(BEGINNING, lastId, standing)).toEqual(BEGINNING);
});
