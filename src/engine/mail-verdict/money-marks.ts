/** Addresses of Bitcoin (Base58 and Bech32), of Ethereum and of Litecoin, as they are written in texts. */
const COIN_ADDRESS = /\b(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|(?:bc1|ltc1)[02-9ac-hj-np-z]{30,71}|0x[0-9a-fA-F]{40})\b/;

/** An IBAN (ISO 13616), in groups of four or in one. */
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[0-9A-Z]{4}){3,7}(?: ?[0-9A-Z]{1,4})?\b/;

/** Digits with the marks of telephone numbers between them, and how many digits these have (E.164). */
const NUMBER = /\+?\(?\d[\d ().\p{Pd}]{7,20}\d/gu;
const [MIN_DIGITS, MAX_DIGITS] = [9, 15];

/** Maximum number of numbers of a text that are read, and of its UTF-16 code units. */
const MAX_NUMBERS = 30;
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

/** Returns the first telephone number in a text, also in styled digits; null if there is none. */
export function phoneNumberIn(text: string): string | null {
  const numbers = text.slice(0, MAX_TEXT).normalize('NFKC').match(NUMBER)?.slice(0, MAX_NUMBERS) ?? [];
  return (
    numbers.find((number) => {
      const digits = number.replace(/\D+/g, '').length;
      return digits >= MIN_DIGITS && digits <= MAX_DIGITS && /[ ().+\p{Pd}]/u.test(number);
    }) ?? null
  );
}
