import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { percentDecode } from '#src/core/unwrap/decode-text.ts';
import { unwrap } from '#src/core/unwrap/unwrap.ts';
import { cpuMs, shortCpuMs } from '#test/support/cpu-time.ts';
import { createRandom } from '#test/support/random.ts';
import { targetOf } from '#test/support/target.ts';

const inner = (url: string) => unwrap(targetOf(url)).map((target) => target.url);
const EVIL = 'https://evil.example/login?a=b';
const encoded = encodeURIComponent(EVIL);
const base64 = btoa(EVIL);

describe('unwraps link protectors, search engines, archives and redirectors', () => {
  test.each([
    ['Safe Links', `https://eur01.safelinks.protection.outlook.com/?url=${encoded}&data=05%7C01&sdata=x&reserved=0`],
    ['Safe Links copied out of HTML', `https://nam02.safelinks.protection.outlook.com/?data=x&amp;url=${encoded}`],
    ['Safe Links of a government', `https://usg01.safelinks.protection.office365.us/?url=${encoded}`],
    ['Proofpoint v1', `https://urldefense.proofpoint.com/v1/url?u=${encoded}&k=x`],
    ['Proofpoint v2', 'https://urldefense.proofpoint.com/v2/url?u=https-3A__evil.example_login-3Fa-3Db&d=DwMFAg&c=x'],
    ['Proofpoint v3', 'https://urldefense.com/v3/__https://evil.example/login?a=b__;!!K!x$'],
    ['Google', `https://www.google.de/url?sa=t&q=${encoded}&usg=x`],
    ['Google AMP', 'https://www.google.com/amp/s/evil.example/login?a=b'],
    ['the AMP cache', 'https://evil-example.cdn.ampproject.org/c/s/evil.example/login?a=b'],
    ['Facebook', `https://l.facebook.com/l.php?u=${encoded}&h=AT0`],
    ['Barracuda', `https://linkprotect.cudasvc.com/url?a=${encoded}&c=E,1,x&typo=1`],
    ['Cisco', `https://secure-web.cisco.com/1abc/${encoded}`],
    ['Trend Micro', `https://imsva91-ctp.trendmicro.com/wis/clicktime/v1/query?url=${encoded}&umid=1`],
    ['Sophos', `https://eu-west-1.protection.sophos.com/?d=evil.example&u=${base64}&i=x`],
    ['Avanan', `https://url.avanan.click/v2/___${EVIL}___.YXAz`],
    ['LinkedIn', `https://www.linkedin.com/redir/redirect?url=${encoded}`],
    ['Steam', `https://steamcommunity.com/linkfilter/?u=${encoded}`],
    ['YouTube', `https://www.youtube.com/redirect?event=x&q=${encoded}`],
    ['Slack', `https://slack-redir.net/link?url=${encoded}`],
    ['DuckDuckGo', `https://duckduckgo.com/l/?uddg=${encoded}`],
    ['Bing', `https://www.bing.com/ck/a?!&&p=x&u=a1${base64.replace(/=+$/, '')}&ntb=1`],
    ['an archive', `https://web.archive.org/web/20240101000000/${EVIL}`],
    ['Google Translate', 'https://evil-example.translate.goog/login?a=b'],
    ['Defender for Cloud Apps', 'https://evil.example.mcas.ms/login?a=b'],
    ['a mail tracker', `https://x.r.us-east-1.awstrack.me/L0/${encoded.replace('%3A', ':')}/1/0107019d-000000/z_8te=1`],
    [
      'script injected into a page',
      `https://hacked.example/list.php?q=${encodeURIComponent(`"/><img src="https://a.example/x.jpg" onerror="window.location=decodeURIComponent(atob('${btoa(Buffer.from(EVIL).toString('hex'))}').replace(/(..)/g, '%$1'));">`)}`,
    ],
    [
      'script injected into a page, in clear',
      `https://hacked.example/list.php?q=${encodeURIComponent(`"><svg onload="location.href='${EVIL}'">`)}`,
    ],
    ['a bare query', `https://href.li/?${EVIL}`],
    ['a redirector', `https://some.example/out?redirect=${encoded}`],
    ['a parameter of any name that ends in url', `https://some.example/router?brandUrl=${encoded}`],
    ['a twice encoded target', `https://some.example/r?url=${encodeURIComponent(encoded)}`],
    [
      'a target with an escape inside an escape',
      `https://some.example/r?url=h%%374tps${encoded.slice('https'.length)}`,
    ],
    ['a base64 target', `https://some.example/r?u=${base64}`],
    ['a base64 path', `https://some.example/go/${base64.replaceAll('/', '_')}/x`],
    ['a path with one slash folded', 'https://some.example/proxy/https:/evil.example/login?a=b'],
  ])('%s', (_, url) => {
    expect(inner(url)).toContain(EVIL);
  });
});

describe('resolves a target as the browser or the service does', () => {
  test.each([
    ...readFileSync(join(import.meta.dir, 'forms.tsv'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split('\t') as [string, string]),
  ])('%s', (url, target) => {
    expect(inner(url)).toContain(target);
  });
});

test('restores the hyphens of a translated host', () => {
  expect(inner('https://a--b-evil-example.translate.goog/')).toEqual(['https://a-b.evil.example/']);
});

test('restores the replaced characters of Proofpoint v3, single and in runs', () => {
  const link = (url: string, replaced: string) =>
    `https://urldefense.com/v3/__${url}__;${Buffer.from(replaced).toString('base64url')}!!K!x$`;
  expect(inner(link('https://evil.example/search?q=a*test&g=p*', '+é'))).toEqual([
    'https://evil.example/search?q=a+test&g=p%C3%A9',
  ]);
  expect(inner(link('https://evil.example/?q=**Btest*', 'äöü!'))).toEqual([
    'https://evil.example/?q=%C3%A4%C3%B6%C3%BCtest!',
  ]);
  expect(inner(link('https:/evil.example/', ''))).toEqual(['https://evil.example/']);
});

test('returns nested links, the outermost first', () => {
  const middle = `https://l.facebook.com/l.php?u=${encoded}`;
  const outer = `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(middle)}`;
  expect(inner(outer)).toEqual([targetOf(middle).url, EVIL]);
});

test('returns nothing for a URL without a wrapped one', () => {
  for (const url of [
    'https://example.com/',
    'https://example.com/search?q=login+help&page=2',
    'https://example.com/?url=/local/path&next=%2Fhome',
    'https://protect-eu.mimecast.com/s/abcDEF',
    // A host without a scheme counts at services that forward, and a word with a dot is not one.
    'https://example.com/?url=other.example/login&site=shop.example',
    'https://example.com/go?domain=other.example',
    'https://example.com//double/path?next=/%2E/local&back=%2F',
    'https://example.com/?next=//dashboard',
    'https://example.com/?url=https:/local',
    'https://l.facebook.com/l.php?v=1.2&page=index.php',
    'https://u1.ct.sendgrid.net/ls/click?upn=u001.abc',
    'https://www.google.com/urlaub?q=other.example',
    'https://google.attacker.de/url?q=other.example',
    'https://example.com/#section',
    'https://example.com/a;b=c?d=e;f=g',
    'https://bit.ly/abc',
    'https://example.com/?u=javascript:alert(1)',
    'https://example.com/?image_url=https://cdn.example/x.png&text=https://evil.example/',
    'https://example.com/?url=https://',
    'https://www.bing.com/ck/a?u=a1%%%',
    'https://urldefense.com/v3/__',
  ]) {
    expect({ url, inner: inner(url) }).toEqual({ url, inner: [] });
  }
});

test('terminates for a URL that wraps itself', () => {
  const self = 'https://a.example/?url=https://a.example/%3Furl=https://a.example/';
  expect(inner(self).length).toBeLessThanOrEqual(2);
});

test('limits the depth and the number of links', () => {
  let nested = EVIL;
  for (let i = 0; i < 9 && nested.length < 4000; i++)
    nested = `https://r${i}.example/?url=${encodeURIComponent(nested)}`;
  expect(inner(nested).length).toBeLessThanOrEqual(5);
  const many = Array.from({ length: 60 }, (_, i) => `url=https://n${i}.example/`).join('&');
  expect(inner(`https://a.example/?${many}`)).toHaveLength(8);
});

test('terminates for random bytes without an exception', () => {
  const random = createRandom(2);
  const hosts = [
    'urldefense.com/v3/__',
    'www.google.com/amp/',
    'www.bing.com/ck/a?u=a1',
    'x.translate.goog/',
    'a.example/?url=',
    'a.example/',
  ];
  const alphabet = 'https:/%2F%3A?&=u*__;!aHR0cDovL2EuYg==-.\u00e9\u{1f600}\\^ ';
  for (let round = 0; round < 5000; round++) {
    const url = `https://${random.pick(hosts)}${random.text(120, alphabet)}`;
    if (URL.canParse(url)) expect(inner(url).length).toBeLessThanOrEqual(8);
  }
  const urls = ['%25', '*', 'https://', 'aHR0c', '&u=', '__;', '/'].flatMap((unit) => {
    const tail = unit.repeat(7000 / unit.length);
    return [`https://urldefense.com/v3/__https://a.example/${tail}`, `https://a.example/?url=${tail}`];
  });
  expect(cpuMs(() => urls.map(inner), 2000)).toBeLessThan(2000);
});

test('runs in linear time', () => {
  const target = (labels: number) => targetOf(`http://${'a.'.repeat(labels)}com/`);
  const [few, many] = [target(1000), target(4000)];
  const growth = () => shortCpuMs(() => unwrap(many)) / shortCpuMs(() => unwrap(few));
  // A measurement may fall on the moment at which the code is compiled.
  expect([growth, growth, growth].some((measure) => measure() < 8)).toBe(true);
});

test.each([
  ['%e4%b8%ad%F0%9F%98%80é', '中😀é'],
  ['%', '%'],
  ['%2', '%2'],
  ['%zz%41', '%zzA'],
  ['%e4%b8x%25%34%31', '\ufffdx%41'],
  ['%ff', '\ufffd'],
])('%j is decoded to %j', (text, decoded) => {
  expect(percentDecode(text)).toBe(decoded);
});
