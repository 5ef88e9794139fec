import { expect, test } from 'bun:test';
import { editDistance } from '#src/core/base/text/edit-distance.ts';
import { createRandom } from '#test/support/random.ts';

test('the edit distance equals that of the textbook recursion, up to the requested maximum', () => {
  const random = createRandom(11);
  for (let round = 0; round < 2000; round++) {
    const a = random.text(7, 'abc');
    const b = random.text(7, 'abc');
    for (const most of [1, 2]) {
      const case_ = { a, b, most };
      expect({ ...case_, edits: editDistance(a, b, most) }).toEqual({
        ...case_,
        edits: Math.min(naive(a, b), most + 1),
      });
    }
  }
});

function naive(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const costs = [
    naive(a.slice(1), b) + 1,
    naive(a, b.slice(1)) + 1,
    naive(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
  ];
  if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]) costs.push(naive(a.slice(2), b.slice(2)) + 1);
  return Math.min(...costs);
}
