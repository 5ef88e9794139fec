import { expect, test } from 'bun:test';
import { fitRecord } from '#src/checks/record/fit-record.ts';
import { maskResult } from '#src/checks/record/redact/redact-result.ts';
import { argsInSentence } from '#src/checks/record/stored-result.ts';
import type { ReasonArgs } from '#src/engine/reasons/reason.ts';
import { sentenceOf } from '#src/engine/reasons/sentence.ts';
import { sampleCheck } from '#test/support/sample-record.ts';

test('extracts the args of a sentence, numbers as numbers, and the variant of its code', () => {
  expect(argsInSentence('url.suffix', 'Of the names known under .example, many are phishing.')).toEqual({
    kind: 'many',
    suffix: 'example',
  });
  expect(argsInSentence('url.subdomain', '12 subdomains stand in front of the name.')).toEqual({
    kind: 'many_parts',
    count: 12,
  });
  expect(argsInSentence('url.name', '“12” is a random-looking name.')).toEqual({ kind: 'random', name: '12' });
  expect(
    argsInSentence('brand.name_in_subdomain', "The host contains “paypal”, but paypal.com is PayPal's domain."),
  ).toEqual({
    found: 'paypal',
    domain: 'paypal.com',
    brand: 'PayPal',
  });
});

test('extracts the host of a nested link from a sentence about it', () => {
  const message = 'The link leads on to evil.example. It is published on a free host (pages.example).';
  expect(argsInSentence('url.platform', message)).toEqual({
    kind: 'listed',
    platform: 'a free host',
    suffix: 'pages.example',
    inside: 'evil.example',
  });
});

test.each([
  ['http', 'The link redirects to'],
  ['refresh', 'The page sends visitors on to'],
  ['script', 'A script of the page leads to'],
  ['frame', 'A frame fills the page with'],
  ['link', 'The only link of the page leads to'],
])('extracts the host and the kind of hop from a sentence about a URL that is reached by %s', (how, says) => {
  const message = `${says} evil.example. Of the names known under .example, many are phishing.`;
  expect(argsInSentence('url.suffix', message)).toEqual({
    kind: 'many',
    suffix: 'example',
    inside: 'evil.example',
    how,
  });
  const nested = `${says} wrapper.example. The link leads on to evil.example. A sentence of no list.`;
  expect(argsInSentence('url.suffix', nested)).toEqual({ inside: 'wrapper.example', how });
});

test('an unknown sentence has no args', () => {
  expect(argsInSentence('url.suffix', 'The suffix is common.')).toEqual({});
  expect(argsInSentence('constructor', '')).toEqual({});
});

/** A result with one reason. */
const withReason = (code: string, args: ReasonArgs) => {
  const message = sentenceOf({ code, args });
  return sampleCheck({ details: { reasons: [{ component: 'url', code, message, args, weight: 1 }] } }).result;
};

test('masks the args of a reason in its sentence too, and leaves the fixed words unchanged', () => {
  const secret = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N';
  const result = withReason('url.path', { kind: 'phishing_like', path: `reset?token=${secret}` });
  const [reason] = maskResult(result, 'public').stored.analysis_details.reasons;
  expect(reason?.args).toEqual({ kind: 'phishing_like', path: 'reset?token=***' });
  expect(reason?.message).toBe('The path “/reset?token=***” is like those of phishing sites.');
});

test('masks a quotation before shortening it, in sentence and args', () => {
  const secret = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${'dozjgNryP4J3jVmNHl0w5N'.repeat(9)}`;
  const result = withReason('page.nameless_title', { title: `Log in ${secret}` });
  const json = JSON.stringify(maskResult(fitRecord(result), 'public').stored);
  expect(json).not.toContain('eyJ');
  const long = withReason('page.nameless_title', { title: 'a'.repeat(5000) });
  const [reason] = maskResult(fitRecord(long), 'public').stored.analysis_details.reasons;
  expect(reason?.args).toEqual({ title: `${'a'.repeat(59)}…` });
  expect(reason?.message).toBe(`The page asks for a login under the title “${'a'.repeat(59)}…”, which names nobody.`);
});

test('masks and shortens the counterfactual like the reason that it names', () => {
  const args = { kind: 'phishing_like', path: `reset?token=abc/${'b'.repeat(90)}` };
  const { analysis_details: details, ...rest } = withReason('url.path', args);
  const counterfactual = `The decision would be “allow” without this: ${details.reasons[0]?.message}`;
  const counterfactual_reason = { decision: 'allow', code: 'url.path', args } as const;
  const result = { ...rest, analysis_details: { ...details, counterfactual, counterfactual_reason } };
  const { analysis_details: kept } = maskResult(result, 'public').stored;
  expect(kept.counterfactual_reason?.args).toEqual({ kind: 'phishing_like', path: 'reset?token=***' });
  expect(kept.counterfactual).toEndWith(kept.reasons[0]?.message ?? '-');
});
