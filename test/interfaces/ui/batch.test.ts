import { expect, test } from 'bun:test';
import { readTexts } from '#src/core/languages/read-texts.ts';
import { batchCsv, defangedLinks } from '#src/interfaces/ui/check/batch/batch-export.ts';
import { kindOfAll } from '#src/interfaces/ui/check/batch/kind-of-all.ts';
import { checkKindOf, countKinds, minutesFor, worstFirst } from '#src/interfaces/ui/check/check-kind.ts';
import { type QueuedCheck, queuedCheck } from '#src/interfaces/ui/check/check-queue.ts';
import { gistOf, rememberChecks } from '#src/interfaces/ui/check/check-state.ts';
import { csvText } from '#src/interfaces/ui/elements/csv.ts';
import { createFormats } from '#src/interfaces/ui/elements/format.ts';
import { createSpeaker } from '#src/interfaces/ui/languages/speak.ts';
import { ticketText } from '#src/interfaces/ui/result/summary.ts';
import { EXAMPLES } from '#src/service/server/docs/examples.ts';
import { sampleResult } from './sample-result.ts';

const locale = { say: createSpeaker('en', readTexts().en.page), format: createFormats('en') };

/** A finished check; without a decision, one that was stopped. */
function checkOf(url: string, decision: 'allow' | 'warn' | 'block' | null, probability = 0.5): QueuedCheck {
  const check = queuedCheck({ url, words: null, mismatch: null }, { isPrivate: false, visit: true });
  if (decision === null) return { ...check, state: 'stopped' };
  const sample = sampleResult({ url });
  const isAllowed = decision === 'allow';
  const details = {
    ...sample.analysis_details,
    caution: isAllowed && probability > 0.1,
    reasons: isAllowed ? [] : sample.analysis_details.reasons,
  };
  const result = { ...sample, decision, malicious_probability: probability, analysis_details: details };
  return { ...check, state: 'done', result };
}

const CHECKS = [
  checkOf('https://a.example/', 'allow', 0.01),
  checkOf('https://b.example/', 'block', 0.91),
  checkOf('https://c.example/', null),
  checkOf('https://d.example/', 'block', 0.99),
  checkOf('https://e.example/', 'warn', 0.6),
  checkOf('https://f.example/', 'allow', 0.3),
];

test('each check of a batch has one kind, and an allowed check with caution is not counted as harmless', () => {
  expect(CHECKS.map(checkKindOf)).toEqual(['allow', 'block', 'unchecked', 'block', 'warn', 'caution']);
  expect(countKinds(CHECKS)).toEqual({ block: 2, warn: 1, caution: 1, unseen: 0, allow: 1, unchecked: 1 });
});

test('sorts the most dangerous checks first, and omits none', () => {
  const order = worstFirst(CHECKS).map(({ url }) => url);
  expect(order).toEqual(['d', 'b', 'e', 'f', 'a', 'c'].map((name) => `https://${name}.example/`));
});

test('estimates the minutes of a batch from the rate limit', () => {
  expect([1, 20, 21, 40, 41, 100].map((links) => minutesFor(links, 20))).toEqual([0, 0, 1, 1, 2, 4]);
  expect(minutesFor(0, 1)).toBe(0);
});

test('the verdict on links and their message is that of the worst, never mild while a part is not read', () => {
  const [allowed, blocked] = CHECKS.map((check) => [check]);
  const kindWith = (checks = allowed, isPartUnread = false) =>
    (['allow', 'warn', 'block', null] as const).map((decision) =>
      kindOfAll(checks ?? [], { isPartUnread, isRisky: false, decision }),
    );
  expect(kindWith()).toEqual(['allow', 'warn', 'block', 'allow']);
  expect(kindWith(blocked)).toEqual(['block', 'block', 'block', 'block']);
  expect(kindWith(allowed, true)).toEqual(['unchecked', 'warn', 'block', 'unchecked']);
});

test('the title of a tab contains the verdict, or the counts of a batch, and never a link', () => {
  const [allowed = null, blocked = null, unchecked = null] = CHECKS;
  expect(gistOf({ checks: CHECKS, openCheck: blocked, unread: [] }, locale)).toBe('Do not open this link');
  expect(gistOf({ checks: CHECKS, openCheck: null, unread: [] }, locale)).toBe(
    '2 Block, 1 Warn, 1 Be wary, 1 Allow, 1 Not checked',
  );
  const mail = { answer: { ...EXAMPLES.messageAnswer, decision: 'block' } } as const;
  expect(gistOf({ checks: CHECKS, openCheck: blocked, unread: [], mail }, locale)).toBe(
    'Do not trust this message, 1 Not checked',
  );
  expect(gistOf({ checks: CHECKS, openCheck: allowed, unread: [] }, locale)).toBe('No phishing found');
  expect(gistOf({ checks: [], openCheck: null, unread: [] }, locale)).toBe('');
  expect(gistOf({ checks: CHECKS, openCheck: unchecked, unread: [] }, locale)).not.toContain('example');
});

test('remembers each check of the tab once, the latest first, up to a limit', () => {
  const first = rememberChecks([], CHECKS);
  expect(first.map(({ url }) => url.at(8))).toEqual(['f', 'e', 'd', 'b', 'a']);
  expect(rememberChecks(first, CHECKS)).toEqual(first);
  const many = Array.from({ length: 80 }, (_, i) => checkOf(`https://x.example/${i}`, 'allow'));
  expect(rememberChecks(first, many).length).toBe(50);
});

test.each(['=1+1', '+1', '-1', '@sum', '\t=1', '\r=1', '\n=1'])('%j is not a formula in a spreadsheet', (text) => {
  const [cell = ''] = csvText([[text]])
    .slice(1)
    .split('\r\n')
    .slice(-2);
  expect(csvText([[text]])).toMatch(/^\ufeff"?'/);
  expect(cell).not.toMatch(/^[=+\-@\t]/);
});

test('a table is parsed back to the same cells, whatever they contain', () => {
  const rows = [
    ['a,b', 'say "x"', 'two\nlines', ''],
    ['https://x.example/', 'é', '1', ' '],
  ];
  const text = csvText(rows).slice(1);
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)];
  const read = cells.map(([, quoted, bare = '']) => quoted?.replaceAll('""', '"') ?? bare);
  expect(read).toEqual(rows.flat());
});

test('an export of a batch contains every check, and no password', () => {
  const secret = checkOf('https://jane:zqhunter@g.example/', null);
  const lines = batchCsv([...CHECKS, secret], [], locale.say)
    .trim()
    .split('\r\n');
  expect(lines.length).toBe(8);
  expect(lines[2]).toStartWith('https://b.example/,hxxps://b[.]example/,block,0.91,');
  expect(lines.join()).not.toContain('zqhunter');
  expect(
    defangedLinks([...CHECKS, secret], locale.say)
      .split('\n')
      .at(-1),
  ).toBe('hxxps://jane:***@g[.]example/');
});

test('a ticket contains the verdict, the defanged link, the reasons, the time in UTC and the id', () => {
  const result = sampleResult();
  const text = ticketText(
    { result, signature: null, isPrivate: false, mismatch: { says: 'paypal.com', goesTo: 'evil.example' } },
    locale,
  );
  expect(text.split('\n')).toEqual([
    'Verdict: Do not open this link (block, 99.7%)',
    'Link: hxxp://xn--pypal-4ve[.]com[.]login[.]example[.]co[.]uk/account/verify?session=8f2e',
    'Leads to: hxxps://example[.]co[.]uk/signin',
    'The message says paypal[.]com, but this link goes to evil[.]example. That is a typical trick of phishing.',
    'Why:',
    '- The host writes “paypal” in letters of other scripts, but PayPal’s domain is paypal[.]com.',
    '- The form that asks for a password sends what is typed in to another site, collect[.]example[.]net.',
    '- example[.]co[.]uk was registered 6 days ago, on Nov 14, 2026.',
    'Checked 2026-11-20 11:30:00 UTC',
    `Request: ${result.request_id}`,
  ]);
});
