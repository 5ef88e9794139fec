import { withoutInvisible } from '#src/core/base/text/untrusted-text.ts';
import { callbackParts, type SchemeParts } from '#src/core/knowledge/mail/mail-phrases.ts';
import { CARRIER_NUMBERS, CARRIER_SERVICES } from '#src/core/knowledge/mail/mail-senders.ts';
import type { MailSender } from './mail-sender.ts';
import { phoneNumbersIn } from './phone-numbers.ts';

/** Ends of sentences and paragraphs; a single line break may be that of a mail program. */
const END = /[.!?]\s|\n\s{0,20}\n/u;

/** A sum in a currency. */
const PRICE = /(?:[$€£]|\b(?:usd|eur|gbp) ?)\d[\d.,]{0,12}|\d[\d.,]{0,12} ?(?:[$€£]|usd|eur|gbp|dollars|zł)/iu;

/** Maximum length of a text that is read, in UTF-16 code units. */
const MAX_TEXT = 8192;

/**
 * Returns the parts of a call-back that a third party wrote into the mail of a service: a charge, and beside each other a number
 * to call and the case that the reader did not make it. Null if there is none, or the sender is no such service. Numbers of
 * the services themselves, and a seller's number elsewhere in the mail, as in a footer, do not count.
 */
export function carriedCallIn(
  text: string,
  sender: Pick<MailSender, 'host'> | null,
  known: SchemeParts | undefined,
): SchemeParts | null {
  if (sender === null || !CARRIER_SERVICES.has(sender.host.site)) return null;
  const plain = withoutInvisible(text.slice(0, MAX_TEXT)).normalize('NFKC');
  const charge = known?.get('charge') ?? PRICE.exec(plain)?.[0];
  if (charge === undefined) return null;
  const sentences = plain.split(END).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  for (const [at, sentence] of sentences.entries()) {
    const number = phoneNumbersIn(sentence).find((one) => !isOfService(one));
    if (number === undefined) continue;
    // The table has "call the number"; in the text are its digits.
    const parts = callbackParts(sentence.replace(number, ' number '));
    const beside = parts.has('call') ? [sentences[at - 1] ?? '', sentences[at + 1] ?? ''] : [];
    const deny = parts.get('deny') ?? callbackParts(beside.join(' ')).get('deny');
    if (deny !== undefined) return new Map(Object.entries({ call: number, charge, deny }));
  }
  return null;
}

function isOfService(number: string): boolean {
  const digits = number.replace(/\D+/g, '');
  return CARRIER_NUMBERS.some((own) => digits.endsWith(own));
}
