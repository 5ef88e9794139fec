import { expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { Type } from '@sinclair/typebox';
import { CHECK_SETTINGS } from '#src/checks/check/settings.ts';
import { CheckResultSchema } from '#src/checks/record/check-result.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { HTML_SETTINGS } from '#src/network/html/settings.ts';
import { machineSlowness } from '#test/support/cpu-time.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { serveWeb } from '#test/support/web-server.ts';

const HOSTILE_CHECKS = 15;
/** What `/livez` may cost the serving thread, whatever else it does meanwhile. */
const LIVEZ_MS = 50;
const { deadline_seconds } = defaultsOf(CHECK_SETTINGS);
const { html_timeout_seconds } = defaultsOf(HTML_SETTINGS);

const each = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join('');

/** Dear to read, to hand on and to judge: what the search for slow pages finds, put together. */
const HOSTILE = `<title>${'eyJ'.repeat(300)}</title><base href="https://evil.example/${'x'.repeat(4000)}">
  <form action=in.php><input type=password></form><p>a${'\u0300\u0323'.repeat(4000)}${'ﷺ pay pal '.repeat(4000)}</p>
  ${each(1000, (at) => `<a href=https://${at}.${'a.'.repeat(200)}com/>link</a>`)}
  ${each(1100, (at) => `<a href=?${at}>l</a><img src=https://t${at}.k.k.example.co.uk/ alt=logo>`)}
  ${each(100, (at) => `<form action=/${at}?${'eyJ'.repeat(300)}><input type=password name=otp><button>pay pal</button></form>`)}`;
const GOOD = '<title>Garden club</title><h1>Garden club</h1><p>We meet on Tuesdays.';

/**
 * Milliseconds for which the thread that serves has run: the kernel's count of that thread alone, in nanoseconds. Those in
 * which pages are read are counted elsewhere, and time in which other programs ran is not counted.
 */
async function servingMs(pid: number): Promise<number> {
  const [ranNs] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'latin1')).split(' ');
  return Number(ranNs) / 1e6;
}

test(`${HOSTILE_CHECKS} checks of hostile pages delay neither /livez nor the check of another client`, async () => {
  // Each site has an address of its own, and each check a client.
  await using site = await serveWeb(() => ({ body: HOSTILE }), null, { address: '0.0.0.0', port: 0 });
  await using good = await serveWeb(() => ({ body: GOOD }));
  await using directory = temporaryDirectory();
  const flags = { network: 'full', 'egress-allow': '127.0.0.0/8', 'trusted-proxy': '127.0.0.0/8' };
  await using service = await startService(directory.path, [
    ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
    ...[site.port, good.port].flatMap((port) => ['--egress-port', String(port)]),
    ...['dns', 'registration', 'certificate'].flatMap((probe) => ['--probe-off', probe]),
  ]);
  const check = async (url: string, client: string) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': client };
    const response = await fetch(`${service.url}/api/check-url`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url }),
    });
    return parseAs(Type.Union([CheckResultSchema, Type.Object({ status: Type.Number() })]), await response.json());
  };
  // Starts the threads, and lets the first code be compiled.
  await check(`http://127.0.0.1:${good.port}/`, '192.0.2.200');

  let underWay = HOSTILE_CHECKS;
  const hostile = Array.from({ length: HOSTILE_CHECKS }, async (_, at) => {
    const result = await check(`http://127.0.3.${at + 1}:${site.port}/`, `192.0.2.${at + 1}`);
    underWay--;
    return result;
  });
  const wanted = check(`http://127.0.0.1:${good.port}/?again`, '198.51.100.1');
  const costsMs: number[] = [];
  while (underWay > 0) {
    const before = await servingMs(service.pid);
    const { status } = await fetch(`${service.url}/livez`);
    costsMs.push((await servingMs(service.pid)) - before);
    expect(status).toBe(200);
  }
  expect(costsMs.length).toBeGreaterThan(HOSTILE_CHECKS);
  expect(Math.max(...costsMs) / machineSlowness()).toBeLessThan(LIVEZ_MS);
  expect(await wanted).toMatchObject({ analysis_details: { status_code: 200 } });
  const answers = [await wanted, ...(await Promise.all(hostile))];
  for (const answer of answers) {
    if (!('analysis_details' in answer)) throw new Error(JSON.stringify(answer));
    // Looking ends at the deadline; a thread that judges is ended after ten times the budget of a page.
    expect(answer.analysis_details.analysis_time).toBeLessThan(deadline_seconds + 10 * html_timeout_seconds);
  }
});
