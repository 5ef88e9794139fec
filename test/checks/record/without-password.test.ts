import { describe, expect, test } from 'bun:test';
import { maskResult } from '#src/checks/record/redact/redact-result.ts';
import { withoutPassword } from '#src/checks/record/without-password.ts';
import { PASSWORD_URLS, readSecretUrl } from '#test/checks/record/secret-urls.ts';
import { sampleCheck } from '#test/support/sample-record.ts';

const request_id = '00000000-0000-7000-8000-000000000000';
const answerTo = (url: string) => maskResult(sampleCheck({ url, result: { request_id } }).result, 'private').answer;

describe('a typed password is not in what the page shows, copies or saves', () => {
  test.each(Object.values(PASSWORD_URLS).flat())('%s', (line) => {
    const { url, secrets } = readSecretUrl(line);
    const answer = answerTo(url);
    expect(answer.url).toBe(url);
    const shown = JSON.stringify(withoutPassword(answer));
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
  });
});

test.each(['https://Example.com', 'https://example.com/?q=a%20b#top', 'http://jane@example.com/a?b=c'])(
  '%s is shown unchanged',
  (url) => {
    expect(withoutPassword(answerTo(url)).url).toBe(url);
  },
);
