import { USUAL_HTML_LIMITS } from '#src/network/html/limits.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { leastCpuMs } from '#test/support/cpu-time.ts';

/** Prints how many units of work a page takes, and nanoseconds of processor time for each: `bun test/slow/work-units.ts`. */
const PAGES: Readonly<Record<string, string>> = {
  text: 'word '.repeat(400_000),
  links: '<a href=/x>y</a>'.repeat(130_000),
  elements: '<b>'.repeat(690_000),
  blocks: '<p>x'.repeat(500_000),
  attributes: `<p ${'a=1 '.repeat(500_000)}>`,
  forms: '<form action=/a><input name=otp type=password></form>'.repeat(39_000),
  scripts: `<script>${'var a = atob("aaaa"); '.repeat(47_000)}</script>`,
  manyScripts: '<script>eval(unescape("%3Ca"))</script>'.repeat(50_000),
  handlers: '<p onclick="//">'.repeat(130_000),
  images: '<img src=https://a.example/x alt=logo>'.repeat(55_000),
  noscript: '<noscript><p></noscript>'.repeat(87_000),
  entities: '&amp;'.repeat(400_000),
  templates: '<template>'.repeat(200_000),
  closes: '</x>'.repeat(500_000),
};

const source = { contentType: 'text/html; charset=utf-8', url: 'https://page.example/' };

/** Units of work of a page: the least budget with which it is read to its end. */
function workOf(bytes: Uint8Array): number {
  let [low, high] = [0, 2 ** 32];
  while (high - low > 100_000) {
    const work = (low + high) / 2;
    const { limits } = readPage(bytes, source, { ...USUAL_HTML_LIMITS, work });
    if (limits.includes('work')) low = work;
    else high = work;
  }
  return high;
}

for (const [name, html] of Object.entries(PAGES)) {
  const bytes = new TextEncoder().encode(html);
  const work = workOf(bytes);
  const ms = leastCpuMs(() => readPage(bytes, source, { ...USUAL_HTML_LIMITS, work: Number.POSITIVE_INFINITY }), 0, 3);
  const nsPerUnit = ((ms * 1e6) / work).toFixed(1);
  process.stdout.write(
    `${name.padEnd(12)} ${(work / 1e6).toFixed(1)} M units, ${ms.toFixed(0)} ms, ${nsPerUnit} ns a unit\n`,
  );
}
