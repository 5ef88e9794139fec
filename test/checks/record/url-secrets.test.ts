import { expect, test } from 'bun:test';
import { type CheckRecord, recordCheck } from '#src/checks/record/check-record.ts';
import { describeCheck } from '#src/checks/record/describe-check.ts';
import { describeEvent } from '#src/checks/record/describe-event.ts';
import { unescapeFully } from '#src/checks/record/redact/unescape-fully.ts';
import { jsonLine } from '#src/core/base/logger.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { Assessment } from '#src/engine/fusion/fuse.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';
import vectors from '#test/vectors/url-secrets.json';
import { readSecretUrl } from './secret-urls.ts';

const DISABLED = { state: 'skipped', reason: 'disabled' } as const;

/** What the public log keeps of a check that saw a page with this title, or none. */
function keptOf(url: string, title: string | null = null): CheckRecord {
  const target = targetOf(url);
  const markup = `<title>${title}</title><form><input type=password></form>`;
  const document = title === null ? null : readPage(Buffer.from(markup), { contentType: 'text/html', url: target.url });
  const page = { state: 'observed', value: visitOf(target, { contentLength: 9, document }), elapsedMs: 1 } as const;
  const observations = { ...skippedObservations('disabled', DISABLED), ...(title !== null && { page }) };
  const assessment: Assessment = assess(target, observations, MODELS, SETTINGS);
  const result = describeCheck({
    requestId: '00000000-0000-7000-8000-000000000000',
    via: 'api',
    startedAtMs: 0,
    elapsedMs: 1,
    stagesMs: { observe: 0, assess: 0 },
    target,
    observations,
    assessment,
  });
  return recordCheck({ visibility: 'public', result, host: target.host, client: null }).record;
}

const ORIGIN = /^[a-z]+:\/\/[^/]*/;

/** What is left of the secrets, however they are escaped, or of the beginning of one that was cut. */
function leftOf(secrets: readonly string[], record: CheckRecord): string[] {
  const written = JSON.stringify(record.result) + jsonLine(describeEvent(record));
  const text = written + unescapeFully(written.replaceAll('+', ' '));
  const begins = (secret: string) => secret.slice(0, Math.max(12, secret.length / 4));
  const url = record.result.analysis_details.normalized_url.replace(ORIGIN, '');
  return secrets.filter((secret) =>
    // A number of few digits stands in every record.
    secret.length < 6
      ? url.includes(secret)
      : text.includes(begins(secret)) || text.includes(begins(unescapeFully(secret))),
  );
}

for (const [kind, lines] of Object.entries(vectors.secret)) {
  test(`the public log contains no secret of a URL, quoted or truncated: ${kind}`, () => {
    for (const line of lines) {
      const { url, secrets } = readSecretUrl(line);
      expect({ line, secrets, left: leftOf(secrets, keptOf(url)) }).toEqual({ line, secrets, left: [] });
    }
  });
}

for (const [kind, urls] of Object.entries(vectors.readable)) {
  test(`the public log stores a URL without secrets unchanged: ${kind}`, () => {
    for (const url of urls) {
      expect(keptOf(url).result.analysis_details.normalized_url).toBe(targetOf(url).url);
      expect(JSON.stringify(keptOf(url).result)).not.toContain('***');
    }
  });
}

const LONG = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

test('the reason about the path quotes its beginning, and no part of a secret in it', () => {
  const pathOf = (url: string) => keptOf(url).result.analysis_details.reasons.find(({ code }) => code === 'url.path');
  const masked = pathOf(`https://example.com/reset/${LONG}/confirm`);
  expect(masked?.args['path']).toBe('reset/***/confirm');
  expect(masked?.message).toContain('“/reset/***/confirm”');
  const long = pathOf(`https://example.com/${'summer-holidays/'.repeat(8)}`);
  expect(long?.args['path']).toMatch(/^summer-holidays\/summer-holidays\/.{10,40}…$/);
  expect(long?.message).toContain(`“/${long?.args['path']}”`);
});

test('a title that repeats a secret is masked before a sentence quotes its beginning', () => {
  for (const before of ['', 'Reset ', 'x'.repeat(50), 'word '.repeat(9), 'word '.repeat(98), 'x'.repeat(480)]) {
    const url = `https://example.com/reset/${LONG}/confirm`;
    expect(leftOf([LONG], keptOf(url, `${before}${LONG} - Sign in`))).toEqual([]);
  }
});
