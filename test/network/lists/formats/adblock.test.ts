import { expect, test } from 'bun:test';
import { readEntry } from '#src/network/lists/entry.ts';
import { entriesOf, readList, told, unread } from './read-list.ts';

const HEAD = '[Adblock Plus 2.0]\n! Title: a list\n! Expires: 1 day\n# a comment of AdGuard\n\n';

test.each([
  ['||evil.example^', ['evil.example']],
  ['||EVIL.example^$all', ['EVIL.example']],
  ['||evil.example^$document,doc', ['evil.example']],
  ['||bücher.example^', ['bücher.example']],
  ['||192.0.2.7^', ['192.0.2.7']],
  ['@@||good.example^', ['good.example', 'except']],
  ['|https://only.example^$document', ['http://only.example/']],
  ['|http://only.example/a', ['http://only.example/a*']],
  ['||evil.example:8080^', ['http://evil.example:8080/']],
  ['||[2001:db8::1]^', ['[2001:db8::1]']],
  ['||*.evil.example^', ['evil.example']],
  ['||.evil.example^', ['evil.example']],
  ['evil.example', ['evil.example']],
  ['*.evil.example', ['evil.example']],
  ['0.0.0.0 evil.example', ['http://evil.example/']],
  ['||shared.example/kit^', ['http://shared.example/kit']],
  ['||shared.example/kit/a.php?x=1$all', ['http://shared.example/kit/a.php?x=1*']],
])('the rule %s is read as %p', async (rule, expected) => {
  expect(entriesOf(await readList(`${HEAD}${rule}\n`))).toEqual([[6, ...expected]]);
});

test.each([
  ['example.com##.banner', 'is about parts of a page'],
  ['###ad', 'is about parts of a page'],
  ['example.com#@#.banner', 'is about parts of a page'],
  ['example.com#%#window.x=1', 'is about parts of a page'],
  ['/ads[0-9]+/', 'is a regular expression'],
  ['||ads.*.example^', 'has a wildcard'],
  ['*evil.example', 'has a wildcard'],
  ['||evil.example', 'has no ^ after the host, so it is also the beginning of other names'],
  ['evil.example/ads', 'is a part of a URL, not a host as in ||host^'],
  ['|https://', 'is a part of a URL, not a host as in ||host^'],
  ['|https://evil.example', 'has no ^ after the host, so it is also the beginning of other names'],
  ['||evil.example^$third-party', 'has the option "third-party"'],
  ['||evil.example^$all,domain=a.example', 'has the option "domain=a.example"'],
  ['@@||evil.example^$generichide', 'has the option "generichide"'],
  ['||evil.example/a|', 'ends in the middle of a URL'],
])('the rule %s is skipped because it %s', async (rule, message) => {
  const items = await readList(`${HEAD}${rule}\n||next.example^\n`);
  expect(told(items)).toEqual([
    [6, `${JSON.stringify(rule)} ${message}`],
    [7, 'next.example', null],
  ]);
  expect(unread(items)).toEqual({ broken: [], leftOut: [6] });
});

test('a comment of number signs is not mistaken for a filter list', async () => {
  const items = await readList('################\n# hosts  ## and more #\n################\nevil.example\n');
  expect(entriesOf(items)).toEqual([[4, 'evil.example']]);
});

test('a host in any spelling results in the same entry', async () => {
  const items = await readList('||bücher.example^\n||XN--BCHER-KVA.example^\n||b%C3%BCcher.example.^\n');
  const hosts = entriesOf(items).map(([, value]) => readEntry(String(value)));
  expect(new Set(hosts.map((entry) => JSON.stringify(entry)))).toEqual(
    new Set(['{"kind":"host","host":"xn--bcher-kva.example"}']),
  );
});
