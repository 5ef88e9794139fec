import { describe, expect, test } from 'bun:test';
import { recordCheck } from '#src/checks/record/check-record.ts';
import { type CheckResult, HOP_KINDS, type Reason } from '#src/checks/record/check-result.ts';
import { describeCheck } from '#src/checks/record/describe-check.ts';
import { UnreadableRecordError } from '#src/checks/record/pack/bytes.ts';
import { packRecord } from '#src/checks/record/pack/pack-record.ts';
import type { RowContext } from '#src/checks/record/pack/shapes.ts';
import { unpackRecord } from '#src/checks/record/pack/unpack-record.ts';
import { explainReason } from '#src/checks/record/reasons/explain.ts';
import {
  completeResult,
  type FirstResult,
  fromStored,
  type StoredResult,
  toStored,
} from '#src/checks/record/stored-result.ts';
import { createRequestId, requestIdMs } from '#src/core/base/request-id.ts';
import { cutHost } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { Coverage } from '#src/engine/fusion/fuse.ts';
import type { ReasonWay } from '#src/engine/reasons/reason.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { createRandom, type Random } from '#test/support/random.ts';
import { targetOf } from '#test/support/target.ts';
import { sampleResult } from '../../interfaces/ui/sample-result.ts';
import { hostileObservations } from './hostile-observations.ts';
import { ORDINARY_URLS } from './ordinary-urls.ts';

const DISABLED = { state: 'skipped', reason: 'disabled' } as const;
const NOTHING = skippedObservations('disabled', DISABLED);
const START_MS = Date.UTC(2026, 0, 31, 12);

function resultOf(target: Target, observations: Observations, random: Random): CheckResult {
  const startedAtMs = START_MS + random.below(1e9);
  return describeCheck({
    requestId: createRequestId(startedAtMs),
    via: 'api',
    startedAtMs,
    elapsedMs: 10 * random.next(),
    stagesMs: { observe: random.next(), assess: 9 * random.next() },
    target,
    observations,
    assessment: assess(target, observations, MODELS, SETTINGS),
  });
}

function besideOf(result: StoredResult): RowContext {
  const { normalized_url, coverage, caution, base_log_odds, thresholds, model_version } = result.analysis_details;
  return {
    request_id: result.request_id,
    timestamp: new Date(requestIdMs(result.request_id)).toISOString(),
    normalized_url,
    host: cutHost(normalized_url),
    probability: result.malicious_probability,
    decision: result.decision,
    coverage,
    caution,
    base_log_odds,
    thresholds,
    model_version,
  };
}

/** The bytes of a record, which are held to give back the same JSON. */
function packed(result: StoredResult): Uint8Array {
  const beside = besideOf(result);
  const bytes = packRecord(result, beside);
  expect(JSON.stringify(unpackRecord(bytes, beside))).toBe(JSON.stringify(result));
  return bytes;
}

const WORDS = 'login verify secure paypal amazon micros0ft account update shop news blog cdn mail www bank kunde'.split(
  ' ',
);
const SUFFIXES = ['com', 'de', 'co.uk', 'cyou', 'top', 'github.io', 'weebly.com', 'xn--p1ai', 'museum'];
const NAME = 'abcdefghijklmnopqrstuvwxyz0123456789';

function urlOf(random: Random): string {
  const label = () =>
    random.below(2) === 0 ? random.pick(WORDS) : `${random.pick([...NAME])}${random.text(18, NAME)}`;
  const host = [
    ...Array.from({ length: random.below(4) }, label),
    `${label()}${random.pick(['', '-', '-x-'])}${label()}`,
  ];
  const path = Array.from({ length: random.below(4) }, () => random.text(12, `${NAME}%._-é`)).join('/');
  const query = random.pick(['', '', `?${label()}=${random.text(30, `${NAME}@%/`)}`, '?u=https://example.org/in']);
  const front = random.pick(['', '', '', 'user:pw@', `${label()}@`]);
  return `${random.pick(['http', 'https'])}://${front}${host.join('.').replace(/-+\./g, '.')}.${random.pick(SUFFIXES)}/${path}${query}`;
}

describe('a packed record', () => {
  test('takes less than a tenth of the size of 5,000 answers, and returns their bytes', () => {
    const random = createRandom(12);
    let json = 0;
    let bytes = 0;
    for (let i = 0; i < 5_000; i++) {
      const target = targetOf(urlOf(random));
      const answer = resultOf(target, NOTHING, random);
      const { result } = recordCheck({ visibility: 'public', result: answer, host: target.host, client: null }).record;
      json += JSON.stringify(result).length;
      bytes += packed(toStored(result)).length;
    }
    expect(bytes / json).toBeLessThan(0.1);
  });

  test('stores microseconds of up to 100 seconds, and single floats, in fewer bytes than a double', () => {
    const bytesOf = (timings: StoredResult['analysis_details']['timings']) => {
      const result = toStored(sampleResult());
      return packed({ ...result, analysis_details: { ...result.analysis_details, timings } }).length;
    };
    const whole = bytesOf({ observe: 0, assess: 0 });
    expect(bytesOf({ observe: 0.000_313, assess: 99.999_999 }) - whole).toBe(3 + 5);
    expect(bytesOf({ observe: 1 / 3, assess: 0 }) - whole).toBe(8);
    expect(bytesOf({ observe: Math.fround(1 / 3), assess: 0 }) - whole).toBe(4);
  });

  test('returns the answer for ordinary URLs, for addresses, and for full observations', () => {
    const random = createRandom(13);
    for (const url of [...Object.values(ORDINARY_URLS).flat(), 'http://192.0.2.7/', 'http://[2001:db8::1]:81/']) {
      packed(toStored(resultOf(targetOf(url), NOTHING, random)));
    }
    packed(toStored(sampleResult()));
    packed({ ...toStored(sampleResult()), url: 'https://example.com/', malicious_probability: 1 });
  });

  test('stores a reason about another URL as a number, and a reason about a URL inside that as text', () => {
    const about = (...ways: ReasonWay[]) =>
      explainReason({ component: 'url', code: 'url.suffix', args: { kind: 'many', suffix: 'top' }, ways, weight: 1 });
    const bytesOf = (reason: Reason) => {
      const result = toStored(sampleResult());
      const bytes = packed({ ...result, analysis_details: { ...result.analysis_details, reasons: [reason] } });
      return Buffer.from(bytes).toString('latin1');
    };
    const landing = { how: 'http', host: 'evil.example' } as const;
    for (const how of HOP_KINDS) expect(bytesOf(about({ how, host: 'evil.example' }))).not.toContain('Of the names');
    expect(bytesOf(about({ how: 'inside', host: 'evil.example' }))).not.toContain('Of the names');
    expect(bytesOf(about(landing, { how: 'inside', host: 'inner.example' }))).toContain('Of the names');
  });

  test('returns untrusted input unchanged', () => {
    const random = createRandom(14);
    for (let i = 0; i < 30; i++) {
      const target = targetOf(urlOf(random));
      packed(toStored(resultOf(target, hostileObservations(target, random), random)));
    }
  });

  test('returns members of any shape, and numbers and texts of any kind', () => {
    const result = resultOf(targetOf('https://example.com/a'), NOTHING, createRandom(15));
    const odd = [
      [
        0,
        -0,
        1,
        95,
        96,
        -1,
        2 ** 31,
        2 ** 53 - 1,
        1 - 2 ** 53,
        2 ** 53,
        1e300,
        5e-324,
        0.1 + 0.2,
        0.5,
        -0.25,
        123.4567,
      ],
      ['', 'example.com', '\ud800', 'a\u{1f600}', '\0', '\ufeffx', 'x'.repeat(70_000), '2026-01-31T12:00:00.000Z'],
      ['2026-02-31T12:00:00.000Z', '+275760-09-13T00:00:00.000Z', 'The decision would be “” without this: x'],
      [true, false, null, [], {}, [[]], { '': 1, __proto__: null, 7: 'x' }, { status: 'ok' }, { status: undefined }],
      [
        {
          component: 'url',
          code: 'url.suffix',
          message: 'Of the names known under .x, few are phishing.',
          weight: 'x',
        },
      ],
      [{ component: 'dns', code: 'url.suffix', message: 'Of the names known under .x, few are phishing.', weight: 1 }],
      [{ component: 'url', code: 'url.suffix', message: 'Of the names known under .x, few are', weight: 1, more: 1 }],
    ];
    packed({ ...result, odd } as CheckResult);
  });
});

/** Written by each version on its first day; every later program has to read them. */
const [VERSION_1, VERSION_2] = await Promise.all(
  [1, 2].map((n) => Bun.file(`${import.meta.dir}/packed-${n}.json`).json()),
);

/** What was stored, of which these files hold the sentences of reasons alone. */
const resultIn = (stored: FirstResult) => fromStored(completeResult(stored), { via: null, decided_by: null });
const read = (bytes: Uint8Array, beside: StoredResult) =>
  resultIn(unpackRecord(bytes, besideOf(beside)) as FirstResult);

test('reads a record of version 1', () => {
  const bytes = Buffer.from(VERSION_1.packed, 'base64');
  expect(JSON.stringify(read(bytes, VERSION_1.result))).toBe(JSON.stringify(resultIn(VERSION_1.result)));
});

test('reads and writes a record of version 2 unchanged', () => {
  const bytes = Buffer.from(VERSION_2.packed, 'base64');
  const result = resultIn(VERSION_2.result);
  expect(JSON.stringify(read(bytes, VERSION_2.result))).toBe(JSON.stringify(result));
  // Whoever writes another form gives it another version.
  expect(Buffer.from(packRecord(toStored(result), besideOf(result))).toString('base64')).toBe(VERSION_2.packed);
});

test('completing a record of version 1 gives the record of version 2', () => {
  expect(JSON.stringify(completeResult(VERSION_1.result))).toBe(JSON.stringify(VERSION_2.result));
  expect(completeResult(VERSION_2.result)).toEqual(VERSION_2.result);
});

test.each<[Coverage, object]>([
  ['full', { html_available: true, status_code: 200 }],
  ['url_only', { html_available: false, status_code: 200 }],
  ['url_only', { html_available: true, status_code: 404 }],
  ['partial', { html_available: true, reasons: [{ component: 'page', code: 'page.padded', message: '', weight: 1 }] }],
])('a record of version 1 has the coverage %s if it contains %j', (coverage, said) => {
  const { analysis_details: details, ...rest } = VERSION_1.result;
  expect(completeResult({ ...rest, analysis_details: { ...details, ...said } }).analysis_details.coverage).toBe(
    coverage,
  );
});

describe('a record is refused with a reason', () => {
  const result: CheckResult = VERSION_1.result;
  const bytes = Buffer.from(VERSION_1.packed, 'base64');
  const refusal = (changed: Uint8Array) => {
    try {
      unpackRecord(changed, besideOf(result));
      return null;
    } catch (error) {
      if (error instanceof UnreadableRecordError) return error.message;
      throw error;
    }
  };

  test('if its version is unknown, if it is empty, and if it has trailing data', () => {
    expect(refusal(Buffer.from([9, ...bytes.subarray(1)]))).toBe('it has the unknown version 9');
    expect(refusal(Buffer.of())).toBe('it is cut short');
    expect(refusal(Buffer.concat([bytes, Buffer.of(0)]))).toBe('it has trailing data');
  });

  test('if it is truncated at any byte', () => {
    for (let length = 0; length < bytes.length; length++) {
      expect([length, refusal(bytes.subarray(0, length))]).toEqual([length, expect.any(String)]);
    }
  });

  test('if it has an unknown word, shape, reason or part of the URL', () => {
    const head = [bytes[0] ?? 0];
    expect(refusal(Buffer.from([...head, 255]))).toBe('it has an unknown kind of object');
    expect(refusal(Buffer.from([...head, 10, 255, 127]))).toBe('it has an unknown word');
    expect(refusal(Buffer.from([...head, 14, 255, 127]))).toBe('it has an unknown reason');
    expect(refusal(Buffer.from([...head, 8, 255, 127, 1]))).toBe('it has an unknown part of the URL');
  });

  test('if any of its bytes change, and no other error is thrown', () => {
    const random = createRandom(16);
    let refused = 0;
    for (let i = 0; i < 20_000; i++) {
      const changed = Buffer.from(bytes);
      for (let changes = 1 + random.below(3); changes > 0; changes--)
        changed[random.below(bytes.length)] = random.below(256);
      if (refusal(changed) !== null) refused++;
    }
    expect(refused).toBeGreaterThan(1000);
  });
});
