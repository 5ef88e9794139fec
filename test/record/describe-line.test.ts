import { describe, expect, test } from 'bun:test';
import { describeLine } from '#src/record/describe-line.ts';
import { sampleRecord } from '#test/support/sample-record.ts';

describe('the line of a public check', () => {
  test.each([
    'https://example.com/?token=hunter2-4711&x=hunter2-4711',
    'https://example.com/hunter2-4711?token=hunter2-4711',
    'https://EXAMPLE.com/a%27b/?otp=hunter2-4711',
    'https://jane:hunter2-4711@example.com/',
    'https://example.com/login?lang=de',
  ])('names %s as the log keeps it', (url) => {
    const record = sampleRecord({ url });
    const line = describeLine(record);
    expect(line).not.toContain('hunter2');
    expect(JSON.parse(line).url).toBe(record.result.analysis_details.normalized_url);
  });
});

test('the line of a private check does not name its URL', () => {
  const line = describeLine(sampleRecord({ url: 'https://example.com/', visibility: 'private' }));
  expect(JSON.parse(line)).toMatchObject({ event: 'check.done', visibility: 'private', url: null });
  expect(line).not.toContain('example');
});
