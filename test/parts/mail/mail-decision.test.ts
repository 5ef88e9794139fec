import { expect, test } from 'bun:test';
import { decisionOf, type MailFinding, passUnread } from '#src/parts/mail/mail-decision.ts';

const ALLOWED = { decision: 'allow', probability: 0.05, reasons: [] } as const;
const READ: MailFinding = {
  blocked: 0,
  worst: null,
  isWhole: true,
  count: 0,
  isMismatched: false,
  unread: 0,
  verdict: ALLOWED,
};

const causeOf = (finding: Partial<MailFinding>) =>
  decisionOf({ ...READ, ...finding }, 'mark', [], 'model-1').unexamined;

test('a mail passes unexamined if it was not read, or a part of it was not and nothing else speaks against it', () => {
  expect(passUnread('deadline').unexamined).toBe('deadline');
  expect(passUnread('failed').unexamined).toBe('failed');
  expect(passUnread('authenticated').unexamined).toBe('authenticated');
  expect(causeOf({ isWhole: false, count: 3 })).toBe('incomplete');
  expect(causeOf({})).toBeNull();
  // Attachments that hold no text are no failure of the service.
  expect(causeOf({ unread: 1 })).toBeNull();
});
