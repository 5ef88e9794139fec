import { expect, test } from 'bun:test';
import { fitRecord } from '#src/checks/record/fit-record.ts';
import { argsOf, withArgs, withoutArgs } from '#src/checks/record/reasons/args.ts';
import { maskResult } from '#src/checks/record/redact/redact-result.ts';
import { sampleCheck } from '#test/support/sample-record.ts';

test('a sentence gives back what it names, numbers as numbers, and which of its code it is', () => {
  expect(argsOf('url.suffix', 'Of the names known under .example, many are phishing.')).toEqual({
    kind: 'many',
    suffix: 'example',
  });
  expect(argsOf('url.subdomain', '12 subdomains stand in front of the name.')).toEqual({
    kind: 'many_parts',
    count: 12,
  });
  expect(argsOf('url.name', '“12” is a random-looking name.')).toEqual({ kind: 'random', name: '12' });
  expect(argsOf('brand.name_in_subdomain', "The host contains “paypal”, but paypal.com is PayPal's domain.")).toEqual({
    found: 'paypal',
    domain: 'paypal.com',
    brand: 'PayPal',
  });
});

test('what is said of a link within the link names that link', () => {
  const message = 'The link leads on to evil.example. It is published on a free host (pages.example).';
  expect(argsOf('url.platform', message)).toEqual({
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
])('what is said of a URL to which the link leads by %s names its host and the way', (how, says) => {
  const message = `${says} evil.example. Of the names known under .example, many are phishing.`;
  expect(argsOf('url.suffix', message)).toEqual({ kind: 'many', suffix: 'example', inside: 'evil.example', how });
  const nested = `${says} wrapper.example. The link leads on to evil.example. A sentence of no list.`;
  expect(argsOf('url.suffix', nested)).toEqual({ inside: 'wrapper.example', how });
});

test('a sentence that is in no list has no args', () => {
  expect(argsOf('url.suffix', 'The suffix is common.')).toEqual({});
  expect(argsOf('constructor', '')).toEqual({});
});

const withReason = (code: string, message: string, counterfactual: string | null = null) =>
  sampleCheck({
    details: {
      reasons: [{ component: 'url', code, message, args: {}, weight: 1 }],
      counterfactual,
    },
  }).result;

test('the counterfactual names its reason, as the list of reasons does', () => {
  const message = 'Of the names known under .example, many are phishing.';
  const { counterfactual_reason, reasons } = fitRecord(
    withReason('url.suffix', message, `The decision would be “allow” without this: ${message}`),
  ).analysis_details;
  expect(counterfactual_reason).toEqual({
    decision: 'allow',
    code: 'url.suffix',
    args: { kind: 'many', suffix: 'example' },
  });
  expect(counterfactual_reason?.args).toEqual(reasons[0]?.args);
});

test('what is kept without args gives them back', () => {
  const whole = fitRecord(withReason('url.path', 'The path “/a/b” is like those of phishing sites.'));
  const kept = withoutArgs(whole);
  expect(JSON.stringify(kept)).not.toContain('args');
  expect(JSON.stringify(withArgs(kept))).toBe(JSON.stringify(whole));
});

test('what a log masks or cuts in a sentence is masked and cut in its args', () => {
  const secret = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N';
  const result = fitRecord(
    withReason('url.path', `The path “/reset?token=${secret}” is like those of phishing sites.`),
  );
  expect(JSON.stringify(result.analysis_details.reasons[0]?.args)).toContain(secret);
  expect(JSON.stringify(maskResult(result, 'public').kept)).not.toContain(secret);
  const long = fitRecord(withReason('url.path', `The path “/${'a'.repeat(5000)}” is like those of phishing sites.`));
  expect(JSON.stringify(long).length).toBeLessThan(3000);
});
