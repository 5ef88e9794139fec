import { describe, expect, test } from 'bun:test';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { describeEvent } from '#src/checks/record/describe-event.ts';
import { maskResult } from '#src/checks/record/redact/redact-result.ts';
import { unescapeFully } from '#src/checks/record/redact/unescape-fully.ts';
import { jsonLine } from '#src/core/base/logger.ts';
import { sampleCheck, sampleRecord } from '#test/support/sample-record.ts';
import { ORDINARY_URLS } from './ordinary-urls.ts';
import { PASSWORD_URLS, readSecretUrl, SECRET_URLS } from './secret-urls.ts';

/** What is left of the secrets, however they are escaped. */
function leftOf(secrets: readonly string[], text: string): string[] {
  const plain = unescapeFully(text.replaceAll('+', ' '));
  return secrets.filter(
    (secret) => plain.includes(unescapeFully(secret.replaceAll('+', ' '))) || text.includes(secret),
  );
}

for (const [kind, lines] of Object.entries({ ...SECRET_URLS, ...PASSWORD_URLS })) {
  describe(`a public record contains no secret: ${kind}`, () => {
    test.each(lines)('%s', (line) => {
      const { url, secrets } = readSecretUrl(line);
      const record = sampleRecord({ url, result: { request_id: '00000000-0000-7000-8000-000000000000' } });
      expect(secrets).not.toEqual([]);
      expect(leftOf(secrets, JSON.stringify(record.result))).toEqual([]);
      expect(leftOf(secrets, jsonLine(describeEvent(record)))).toEqual([]);
    });
  });
}

for (const [kind, urls] of Object.entries(ORDINARY_URLS)) {
  describe(`a URL without secrets is unchanged in a public record: ${kind}`, () => {
    test.each(urls)('%s', (url) => {
      const { result } = sampleCheck({ url });
      expect(maskResult(result, 'public').stored.analysis_details).toEqual(result.analysis_details);
    });
  });
}

for (const [kind, lines] of Object.entries(PASSWORD_URLS)) {
  describe(`a private record contains no password: ${kind}`, () => {
    test.each(lines)('%s', (line) => {
      const { url, secrets } = readSecretUrl(line);
      const { result } = sampleCheck({ url, result: { request_id: '00000000-0000-7000-8000-000000000000' } });
      const { answer } = maskResult(result, 'private');
      for (const logged of [result, answer]) {
        expect(leftOf(secrets, JSON.stringify(maskResult(logged, 'private').stored))).toEqual([]);
      }
      expect(answer.url).toBe(url);
      expect(leftOf(secrets, JSON.stringify(answer.analysis_details))).toEqual([]);
    });
  });
}

describe('a secret that is not a password is unchanged in a private record', () => {
  test.each(Object.values(SECRET_URLS).flat())('%s', (line) => {
    const { url } = readSecretUrl(line);
    const { result } = sampleCheck({ url });
    expect<CheckResult>(maskResult(result, 'private').stored).toEqual(result);
    expect(maskResult(result, 'private').answer).toEqual(result);
  });
});
