import { describe, expect, test } from 'bun:test';
import { describeEvent } from '#src/checks/record/describe-event.ts';
import { sampleRecord } from '#test/support/sample-record.ts';

describe('the log line of a public check', () => {
  test.each([
    'https://example.com/?token=hunter2-4711&x=hunter2-4711',
    'https://example.com/hunter2-4711?token=hunter2-4711',
    'https://EXAMPLE.com/a%27b/?otp=hunter2-4711',
    'https://jane:hunter2-4711@example.com/',
    'https://example.com/login?lang=de',
  ])('contains %s as the log stores it', (url) => {
    const record = sampleRecord({ url });
    const event = describeEvent(record);
    expect(JSON.stringify(event)).not.toContain('hunter2');
    expect(event['url']).toBe(record.result.analysis_details.normalized_url);
  });
});

test('the event of a check contains the strongest reason, the status of each probe, and the model, as codes', () => {
  const details = {
    reasons: [
      { component: 'page', code: 'page.login_form', message: 'A secret is asked for.', args: {}, weight: 2 },
      { component: 'url', code: 'url.suffix', message: 'The suffix is common.', args: {}, weight: -0.5 },
    ],
    unavailable: [
      { component: 'dns', reason: 'timeout' },
      { component: 'registration', reason: 'not_applicable' },
    ],
    model_version: '7-abc',
  } as const;
  expect(
    describeEvent(
      sampleRecord({ details: { ...details, reasons: [...details.reasons], unavailable: [...details.unavailable] } }),
    ),
  ).toMatchObject({
    top_reason: 'page.login_form',
    probes: { page: 'ok', dns: 'timeout', registration: 'not_applicable', certificate: 'ok', lists: 'ok' },
    model_version: '7-abc',
  });
  expect(describeEvent(sampleRecord({ details: { reasons: [] } }))).toMatchObject({ top_reason: null });
});

test('the event of a private check does not contain its URL', () => {
  const event = describeEvent(sampleRecord({ url: 'https://example.com/', visibility: 'private' }));
  expect(event).toMatchObject({ visibility: 'private', url: null });
  expect(JSON.stringify(event)).not.toContain('example');
});
