import { expect, test } from 'bun:test';
import { readPopularSites } from '#src/knowledge/popular-sites.ts';
import { derivePopularSites } from '#src/train/facts/popular-sites.ts';
import { createRandom } from '#test/support/random.ts';

const encode = (text: string) => new TextEncoder().encode(text);

test('every name that goes into the table comes out with its class, and no other does', () => {
  const random = createRandom(7);
  for (let round = 0; round < 30; round++) {
    const names = [
      ...new Set(
        Array.from({ length: random.below(60) }, () => `${random.text(4, 'ab-c')}x.${random.pick(['a', 'ab', 'b'])}`),
      ),
    ];
    const table = readPopularSites(encode(derivePopularSites(names)));
    for (const name of names) {
      const expected = /^[a-z0-9-]+\./.test(name) ? 3 : null;
      expect({ name, bucket: table.bucketOf(name) }).toEqual({ name, bucket: expected });
      for (const other of [`${name}x`, name.slice(1), `a${name}`, name.slice(0, -1)]) {
        if (!names.includes(other)) expect({ other, bucket: table.bucketOf(other) }).toEqual({ other, bucket: null });
      }
    }
  }
});

test('classes follow the rank', () => {
  const ranked = Array.from({ length: 10_001 }, (_, rank) => `n${rank}.example`);
  const table = readPopularSites(encode(derivePopularSites([...ranked, 'n0.example'])));
  const buckets = ['n0', 'n999', 'n1000', 'n9999', 'n10000'].map((name) => table.bucketOf(`${name}.example`));
  expect(buckets).toEqual([3, 3, 4, 4, 5]);
});

test('a label is known from any name that begins with it, whole', () => {
  const table = readPopularSites(encode(derivePopularSites(['word.example', 'wordy.org'])));
  expect(['word', 'wordy', 'wor', 'words', 'example', ''].map(table.hasLabel)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('odd names are not found and do no harm', () => {
  const table = readPopularSites(encode(derivePopularSites(['a.example'])));
  for (const name of ['', ' ', '#', '# lurecheck', 'a.example 3', 'a.example\n', '\uffff', 'z'.repeat(300)]) {
    expect(table.bucketOf(name)).toBeNull();
  }
});

test('a table that is cut off or of another version is refused', () => {
  const whole = derivePopularSites(['a.example']);
  for (const text of ['', whole.slice(0, -1), whole.slice(1), whole.replace(' 1\n', ' 2\n')]) {
    expect(() => readPopularSites(encode(text))).toThrow('popular-sites.txt');
  }
});
