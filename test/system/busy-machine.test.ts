import { expect, test } from 'bun:test';
import { setPriority } from 'node:os';
import { busyLoops } from '#test/support/busy-loops.ts';
import { executable } from '#test/support/executable.ts';

const LOOPS = 2;
const FORM = '<form action=https://other.example/in.php><input type=password></form>';
const HEAD = '<title>PayPal: log in</title><h1>Log in</h1>';
const MIB = 1024 * 1024;
const fill = (piece: string, bytes: number) => piece.repeat(Math.ceil(bytes / piece.length));

/** Pages that cost the most for their size, and ordinary ones; with a tenth of the usual budget not all are read to the end. */
const PAGES = [
  `${HEAD}${FORM}`,
  `${HEAD}${fill('<a href=/x>y</a>', 1.9 * MIB)}${FORM}`,
  `${HEAD}${fill('<p onclick="//">', 1.9 * MIB)}${FORM}`,
  `${HEAD}${FORM}${fill('<script>eval(unescape("%3Ca"))</script>', 1.9 * MIB)}`,
  `<title>${'eyJ'.repeat(300)}</title>${fill(`<p>${'eyJhbGci'.repeat(60)}</p>`, 1.5 * MIB)}${FORM}`,
  `${fill('<!-- nothing to see -->', 1.9 * MIB)}${FORM}`,
];
const INPUT = PAGES.map((html, at) => JSON.stringify({ url: `https://page-${at}.example/login`, html })).join('\n');
const FLAGS = ['check', '-', '--network', 'none', '--input', 'ndjson', '--format', 'ndjson'];

/** The answers, without what tells when and how fast they were given. */
async function answers(flags: readonly string[], priority: number): Promise<string[]> {
  const child = Bun.spawn([await executable(), ...FLAGS, ...flags], {
    stdin: new TextEncoder().encode(INPUT),
    env: {},
    stderr: 'pipe',
  });
  setPriority(child.pid, priority);
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect({ exitCode: await child.exited, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout.trim().split('\n').map(withoutTimes);
}

function withoutTimes(line: string): string {
  return line
    .replace(/"(timestamp|request_id)":"[^"]*"/g, '"$1":""')
    .replace(/"(analysis_time|elapsed_ms)":[\d.e-]+/g, '"$1":0')
    .replace(/"timings":\{[^}]*\}/, '"timings":{}');
}

test.each([
  ['the usual budget', [], 0],
  ['a tenth of the usual budget', ['--html-timeout-seconds', '0.1'], 3],
])(
  `with %s, the same pages produce the same bytes on an idle host and beside ${LOOPS} busy loops`,
  async (_, flags, cut) => {
    const idle = await answers(flags, 0);
    expect(idle).toHaveLength(PAGES.length);
    for (const line of idle) expect(line).toContain('"html_available":true');
    expect(idle.filter((line) => line.includes('"page.not_seen_whole"'))).toHaveLength(cut);
    await using _loops = busyLoops(LOOPS);
    expect(await answers(flags, 5)).toEqual(idle);
  },
);
