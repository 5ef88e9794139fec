import { SCHEMES, type Scheme, type SchemeParts } from '#src/core/knowledge/mail/mail-phrases.ts';
import type { MailSubject } from './mail-subject.ts';
import { type MessageAnalyzer, signal } from './message-analyzer.ts';
import { phoneNumbersIn } from './phone-numbers.ts';
import type { Confirmation } from './sender-confirmation.ts';

/** Addresses of Bitcoin (Base58 and Bech32), of Ethereum and of Litecoin, as they are written in texts. */
const COIN_ADDRESS = /\b(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|(?:bc1|ltc1)[02-9ac-hj-np-z]{30,71}|0x[0-9a-fA-F]{40})\b/;

/** An IBAN (ISO 13616), in groups of four or in one. */
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[0-9A-Z]{4}){3,7}(?: ?[0-9A-Z]{1,4})?\b/;

/** Maximum number of UTF-16 code units of a text that are read. */
const MAX_TEXT = 8192;

/** Returns the first address of a cryptocurrency in a text; null if there is none. */
export function coinAddressIn(text: string): string | null {
  return COIN_ADDRESS.exec(text.slice(0, MAX_TEXT))?.[0] ?? null;
}

/** A sum of a hundred thousand or more, or of so many millions, in a currency. */
const LARGE = String.raw`(?:\d{3}[.,]\d{3}|\d{1,3}(?:[.,]\d{3}){2,3})`;
const MILLIONS = String.raw`\d[\d.,]{0,12} {0,2}(?:m|mio|mill[a-zõ]{0,7}|mil[hij][a-zõ]{0,6})`;
const CURRENCY = String.raw`(?:[$€£]|us\$|usd|eur|gbp|euros?|dollars?|dólares|dollari|us dollars?|pounds)`;
const LARGE_SUM = new RegExp(
  `${CURRENCY}[ =:]{0,2}(?:${LARGE}|${MILLIONS})(?![a-z0-9])|(?<![\\d.,])(?:${LARGE}(?:[.,]\\d\\d)?|${MILLIONS}) {0,2}(?:of )?(?:${CURRENCY}|u\\.?s)(?![a-z])`,
  'iu',
);

/** Returns the first large sum of money in a text; null if there is none. */
export function largeSumIn(text: string): string | null {
  return LARGE_SUM.exec(text.slice(0, MAX_TEXT))?.[0] ?? null;
}

/** Returns true if a text has the number of a bank account. */
export function hasAccountNumber(text: string): boolean {
  return IBAN.test(text.slice(0, MAX_TEXT));
}

/** Share of a scheme of which a text has two parts, instead of three or more. */
const TWO_PARTS = 0.55;

/** Share of a scheme beside links to the site of its sender: such a text warns of frauds, or is of a firm that lends or hires. */
const BESIDE_OWN_LINKS = 0.35;

/** Schemes for which mailboxes of honest firms are taken over, so that a confirmed sender says less. */
const STOLEN_MAILBOX: ReadonlySet<Scheme> = new Set(['extortion', 'gift_cards', 'errand', 'bank_details']);

/** Share of a call-back that a third party wrote into the mail of a service. */
const OF_CARRIED = 0.9;

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
      const carried = scheme === 'callback' ? subject.carriedCall : null;
      const parts = carried ?? (known && withMarks(scheme, known, subject));
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
  const [phone] = phoneNumbersIn(text);
  if (phone === undefined || subject.hasOwnLinks) return undefined;
  return parts.has('cancel') || parts.has('deny') ? new Map([['call', phone], ...parts]) : parts;
}

/** Returns how far the sender agrees with a scheme: honest people write about them too, and firms lend and hire. */
function standing(scheme: Scheme, isDemand: boolean, subject: MailSubject): number {
  const { sender, confirmation, isStated, isRelayed, isConversation, message, carriedCall } = subject;
  if (scheme === 'callback' && carriedCall !== null) return OF_CARRIED;
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
