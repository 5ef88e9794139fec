import { describe, expect, test } from 'bun:test';
import { chosenName, type Host, hostOf, impossibleName, parseHost, suffixesOf } from '#src/core/url/host.ts';
import { createRandom } from '#test/support/random.ts';
import { targetOf } from '#test/support/target.ts';

const random = createRandom(11);
const NAMES = [
  'example.com',
  'a.b.example.co.uk',
  'a.user.github.io',
  'github.io',
  'com',
  'localhost',
  'xn--bcher-kva.example',
  'a..b.com',
  'www..com',
  '192.0.2.7',
  '2001:db8::1',
  ...Array.from(
    { length: 500 },
    () => `a${random.text(14, 'ab.-1')}x.${random.pick(['com', 'co.uk', 'github.io', 'xyz'])}`,
  ),
].flatMap((text) => parseHost(text) ?? []);

function whole(name: string, rest: string): string {
  return name === '' || rest === '' ? name + rest : `${name}.${rest}`;
}

describe('a host', () => {
  test('has the site under a private suffix, and the registrable domain', () => {
    expect(parseHost('a.user.github.io')).toEqual({
      text: 'a.user.github.io',
      kind: 'name',
      suffix: 'github.io',
      site: 'user.github.io',
      registrable: 'github.io',
      subdomain: 'a',
    });
    expect(parseHost('a.b.example.co.uk')).toMatchObject({
      suffix: 'co.uk',
      site: 'example.co.uk',
      registrable: 'example.co.uk',
      subdomain: 'a.b',
    });
    expect(parseHost('2001:db8::1')).toEqual({
      text: '2001:db8::1',
      kind: 'ipv6',
      suffix: '',
      site: '2001:db8::1',
      registrable: null,
      subdomain: '',
    });
  });

  test('has a site even if its labels are invalid in DNS', () => {
    for (const label of ['x'.repeat(70), 'a_b', '-a-', 'a..b']) {
      expect(parseHost(`${label}.example.com`)).toMatchObject({ site: 'example.com', subdomain: label });
    }
  });

  test('is equal for every spelling, and in a URL', () => {
    const spellings: [string, string][] = [
      ['EXAMPLE.com.', 'example.com'],
      ['bücher.example', 'xn--bcher-kva.example'],
      ['[2001:db8:0::1]', '2001:db8::1'],
      ['3221225991', '192.0.2.7'],
      ['%65xample.com', 'example.com'],
    ];
    for (const [spelling, text] of spellings) {
      expect(parseHost(spelling)).toEqual(hostOf(text));
      if (!spelling.includes(':')) expect(targetOf(`http://${spelling}/`).host).toEqual(hostOf(text));
    }
  });

  test('is equal to the host that is parsed from its text', () => {
    expect(NAMES.length).toBeGreaterThan(300);
    for (const host of NAMES) expect(parseHost(host.text)).toEqual(host);
  });

  test('consists of subdomain and site, and the site consists of the chosen name and the suffix', () => {
    for (const host of NAMES) {
      expect(whole(host.subdomain, host.site)).toBe(host.text);
      if (host.site !== host.suffix) expect(whole(chosenName(host), host.suffix)).toBe(host.site);
    }
  });
});

test.each([
  '',
  '.',
  'example.com/',
  'example.com/path',
  'example.com?q',
  'example.com#f',
  'example.com\\path',
  'example.com:8080',
  '[2001:db8::1]:80',
  'user@example.com',
  '@example.com',
  'a b.example',
  'http://example.com',
  '256.0.0.1',
  'fe80::1%eth0',
])('%p is not a single host', (text) => {
  expect(parseHost(text)).toBeNull();
});

test('suffixesOf returns a name and its parents, the longest first, and an address alone', () => {
  const naive = ({ text, kind }: Host) => {
    const labels = text.split('.');
    return kind === 'name' ? labels.map((_, i) => labels.slice(i).join('.')) : [text];
  };
  for (const host of NAMES) expect(suffixesOf(host)).toEqual(naive(host));
});

test('suffixesOf omits parents of a host that are too long for DNS', () => {
  const host = hostOf(`${'a.'.repeat(4000)}example.com`);
  const [own, longest, ...others] = suffixesOf(host);
  expect(own).toBe(host.text);
  expect(longest).toBe(host.text.slice(-253));
  expect(others).toHaveLength(122);
  expect(others.at(-1)).toBe('com');
});

test.each([
  ['example.com', null],
  ['localhost', null],
  ['a..b.com', 'label'],
  ['---.com', 'label'],
  ['a-.-b.com', null],
  [`${'a'.repeat(64)}.com`, 'label'],
  [`${'a'.repeat(63)}.com`, null],
  ['example.unlisted', 'suffix'],
  // The list knows some second levels of za, and not za itself.
  ['example.co.za', null],
  ['example.za', 'suffix'],
  ['example.co.za', null],
])('whether %s can exist', (name, expected) => {
  expect(impossibleName(hostOf(name))).toBe(expected as ReturnType<typeof impossibleName>);
});
