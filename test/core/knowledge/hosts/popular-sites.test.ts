import { expect, test } from 'bun:test';
import { readPopularSites } from '#src/core/knowledge/hosts/popular-sites.ts';
import { derivePopularSites, type PopularityLists } from '#src/training/facts/popular-sites.ts';
import { createRandom } from '#test/support/random.ts';

const NO_LISTS: PopularityLists = { crux: [], cruxBefore: [], lasting: [], phishing: new Set() };

const tableOf = (lasting: readonly string[]) => derivePopularSites({ ...NO_LISTS, lasting });

test('every name in the table is found with its class, and no other name is', () => {
  const random = createRandom(7);
  for (let round = 0; round < 30; round++) {
    const names = [
      ...new Set(
        Array.from({ length: random.below(60) }, () => `${random.text(4, 'ab-c')}x.${random.pick(['a', 'ab', 'b'])}`),
      ),
    ];
    const table = readPopularSites(tableOf(names));
    for (const name of names) {
      expect({ name, bucket: table.bucketOf(name) }).toEqual({ name, bucket: 3 });
      for (const other of [`${name}x`, name.slice(1), `a${name}`, name.slice(0, -1)]) {
        if (!names.includes(other)) expect({ other, bucket: table.bucketOf(other) }).toEqual({ other, bucket: null });
      }
    }
  }
});

test('the class depends on the rank', () => {
  const ranked = Array.from({ length: 10_001 }, (_, rank) => `n${rank}.example`);
  const table = readPopularSites(tableOf([...ranked, 'n0.example']));
  const buckets = ['n0', 'n999', 'n1000', 'n9999', 'n10000'].map((name) => table.bucketOf(`${name}.example`));
  expect(buckets).toEqual([3, 3, 4, 4, 5]);
});

test('a site known only from the visits of a month must also be in an earlier month, and not in phishing data', () => {
  const table = readPopularSites(
    derivePopularSites({
      crux: ['stays.example', 'new.example', 'phishing.example', 'linked.example'],
      cruxBefore: ['stays.example', 'phishing.example', 'gone.example'],
      lasting: ['linked.example'],
      phishing: new Set(['phishing.example', 'linked.example']),
    }),
  );
  const found = ['stays', 'new', 'phishing', 'gone', 'linked'].map((name) => table.bucketOf(`${name}.example`));
  expect(found).toEqual([5, null, null, null, 3]);
});

test('a label is known if a name in the table begins with the whole label', () => {
  const table = readPopularSites(tableOf(['word.example', 'wordy.org']));
  expect(['word', 'wordy', 'wor', 'words', 'example', ''].map(table.hasLabel)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('malformed names are not found, and throw no error', () => {
  const table = readPopularSites(tableOf(['a.example']));
  for (const name of ['', ' ', '#', '# lurecheck', 'a.example 3', 'a.example\n', '\uffff', 'z'.repeat(300)]) {
    expect(table.bucketOf(name)).toBeNull();
  }
});

test('a truncated table, or one of another version, is refused', () => {
  const whole = tableOf(['a.example']);
  for (const text of ['', whole.slice(0, -1), whole.slice(1), whole.replace(' 1\n', ' 2\n')]) {
    expect(() => readPopularSites(text)).toThrow('popular-sites.txt');
  }
});
