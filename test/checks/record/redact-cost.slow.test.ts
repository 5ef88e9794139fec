import { expect, test } from 'bun:test';
import { startMasking } from '#src/checks/record/redact/mask.ts';
import { redactText, redactUrl } from '#src/checks/record/redact/redact-text.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { NOTHING } from '#test/slow/serving-work.ts';
import { URLS } from '#test/slow/slow-url.ts';
import { machineSlowness, shortCpuMs } from '#test/support/cpu-time.ts';
import { createRandom } from '#test/support/random.ts';
import { targetOf } from '#test/support/target.ts';
import { serve } from './serve-url.ts';

const LENGTH = 65_536;

function redact(text: string): void {
  redactUrl(`http://a.example/?a=${text}`, startMasking('secrets'));
  redactText(text, startMasking('secrets'));
}

const random = createRandom(20261120);
const HOSTILE = [
  'eyJ',
  '\ud800@',
  '%25',
  '%2525',
  '@',
  '1',
  'a=a=a=',
  '&',
  '.',
  '://',
  '"a":"',
  '/reset/abcd',
  'token=a&',
  ...Array.from({ length: 4 }, () => Array.from({ length: 6 }, () => random.pick(URLS.pieces)).join('')),
];

test.each(HOSTILE)('the time to mask repetitions of %j grows linearly', (unit) => {
  const once = unit.repeat(LENGTH / unit.length);
  const twice = once + once;
  const growth = () => shortCpuMs(() => redact(twice)) / shortCpuMs(() => redact(once));
  // A measurement may fall on the moment at which the code is compiled.
  expect([growth, growth, growth].some((measure) => measure() < 3)).toBe(true);
});

/**
 * Maximum processor time of the serving thread for a page that was read, in milliseconds. Without bounds it took 100 ms and
 * more; other processes on the same core make work several times slower.
 */
const BUSY_MS = 20;

test.each(HOSTILE)('serving a page full of %j takes less than 20 ms of CPU time once it is read', (unit) => {
  const target = targetOf('https://evil.example/');
  const long = unit.repeat(8000 / unit.length).replaceAll('"', '&quot;');
  const forms = Array.from({ length: 100 }, (_, i) => `<form action="/${i}?${long}"><input></form>`);
  const html = new TextEncoder().encode(`<title>${long}</title>${forms.join('')}`);
  const document = readPage(html, { contentType: 'text/html', url: target.requestUrl });
  const redirects = Array.from({ length: 5 }, (_, i) => {
    const location = `https://evil.example/${i}?${long}`;
    return { url: location, status: 302, location, address: '192.0.2.1', how: 'http' as const };
  });
  const visit = visitOf(target, { contentLength: html.length, document, redirects });
  const observations = { ...NOTHING, page: { state: 'observed', value: visit, elapsedMs: 1 } } as const;
  expect(shortCpuMs(() => serve(target.url, observations)) / machineSlowness()).toBeLessThan(BUSY_MS);
});
