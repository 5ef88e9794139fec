import { SCHEMES, type Scheme, type SchemeParts } from '#src/core/knowledge/mail/mail-phrases.ts';
import type { MailSubject } from './mail-subject.ts';
import { type MessageAnalyzer, signal } from './message-analyzer.ts';
import { coinAddressIn, hasAccountNumber, largeSumIn, phoneNumberIn } from './money-marks.ts';
import type { Confirmation } from './sender-confirmation.ts';

/** Share of a scheme of which a text has two parts, instead of three or more. */
const TWO_PARTS = 0.55;

/** Share of a scheme beside links to the site of its sender: such a text warns of frauds, or is of a firm that lends or hires. */
const BESIDE_OWN_LINKS = 0.35;

/** Schemes for which mailboxes of honest firms are taken over, so that a confirmed sender says less. */
const STOLEN_MAILBOX: ReadonlySet<Scheme> = new Set(['extortion', 'gift_cards', 'errand', 'bank_details']);

/** Share of a scheme by what servers state of a sender with a domain of its own. */
const NAMED: Readonly<Record<Confirmation['state'], number>> = {
  ...{ passed: 0.6, service: 0.6, unknown: 0.6, missing: 0.65, other: 0.8, failed: 1 },
};

/** Longest quotation of a part, in UTF-16 code units. */
const MAX_WORDS = 80;

/** Classifies the fraud that a text consists of: several parts of one story, each of which alone is in honest mails. */
export const schemeAnalyzer: MessageAnalyzer<'scheme', `scheme.${Scheme}`> = {
  component: 'scheme',
  features: SCHEMES.map((scheme) => `scheme.${scheme}` as const),
  analyze(subject) {
    const found = SCHEMES.flatMap((scheme) => {
      const known = subject.schemes.get(scheme);
      const parts = known && withMarks(scheme, known, subject);
      if (parts === undefined || parts.size < 2) return [];
      const words = Array.from(parts.values(), (part) => part.slice(0, MAX_WORDS)).join(' … ');
      const isDemand = scheme === 'extortion' && coinAddressIn(words) !== null;
      const share = parts.size === 2 && !isDemand ? TWO_PARTS : 1;
      return signal(`scheme.${scheme}`, share * standing(scheme, isDemand, subject), { words });
    });
    // A text is one story, and its words are in the tables of several.
    return found.toSorted((a, b) => b.value - a.value).slice(0, 1);
  },
};

/** Returns the parts with those that are no words: addresses of coins and numbers of accounts and telephones. */
function withMarks(scheme: Scheme, parts: SchemeParts, subject: MailSubject): SchemeParts | undefined {
  const { text } = subject.message.traits;
  const coin = scheme === 'extortion' ? coinAddressIn(text) : null;
  if (coin !== null) return new Map([...parts, ['price', coin]]);
  const sum = scheme === 'funds' ? largeSumIn(text) : null;
  if (sum !== null) return new Map([['sum', sum], ...parts]);
  if (scheme === 'bank_details' && hasAccountNumber(text)) return new Map([...parts, ['account', 'IBAN']]);
  if (scheme !== 'callback') return parts;
  // A number beside a link to the sender's own site is not the only way to answer.
  const phone = phoneNumberIn(text);
  if (phone === null || subject.hasOwnLinks) return undefined;
  return parts.has('cancel') ? new Map([['call', phone], ...parts]) : parts;
}

/** Returns how far the sender agrees with a scheme: honest people write about them too, and firms lend and hire. */
function standing(scheme: Scheme, isDemand: boolean, subject: MailSubject): number {
  const { sender, confirmation, isStated, isRelayed, isConversation, message } = subject;
  if (isRelayed && isStated) return 0.25;
  if (isDemand) return 1;
  // Anybody may write the headers of lists, reports and answers.
  if (isRelayed) return 0.6;
  // Who has taken over a mailbox answers in its conversations, with an account of his own.
  if (isConversation) return scheme === 'bank_details' && isStated ? 0.9 : 0.7;
  if (sender === null) return message.kind === 'mail' ? 1 : 0.7;
  const isElsewhere = message.head?.replyToIs === 'other_site';
  if (sender.isFreemail || isElsewhere) return 1;
  const isDenied = confirmation.state === 'missing' || confirmation.state === 'failed';
  if (!isDenied && subject.hasOwnLinks) return BESIDE_OWN_LINKS;
  if (isStated && STOLEN_MAILBOX.has(scheme)) return 0.9;
  return NAMED[confirmation.state];
}
