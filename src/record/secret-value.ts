/** What stands where a secret stood. */
export const MASK = '***';

/**
 * Words of a parameter's name behind which a secret or a person's data is expected. The list follows what identity
 * providers, cloud storage and web frameworks call theirs (OAuth 2.0, AWS SigV4, Azure SAS, PHP, Java, Django, Rails).
 */
const SECRET_WORDS = new Set(
  `access apikey auth authorization authkey authtoken bearer card code confirmation cookie credential credentials csrf
  cvv hmac iban jsessionid jwt key mail mfa mobile nonce oobcode otp pass passcode passphrase phone phpsessid pin pwd
  recipient refresh samlresponse samlrequest sid sig sign ssn state tan tel totp user userid username xsrf`.split(
    /\s+/,
  ),
);

/** Long enough to mean the same inside a longer word: `authtoken`, `emailaddr`. */
const SECRET_STEM = /token|secret|passw|session|signature|credential|apikey|email|ticket|verifier/;

const PASSWORD_WORDS = new Set(['pass', 'passcode', 'passphrase', 'passwd', 'password', 'pwd']);

/** Whether what stands under this name is a secret whatever it looks like: `access_token`, `X-Amz-Signature`, `otp`. */
export function isSecretName(name: string): boolean {
  return wordsOf(name).some(isSecretWord);
}

/** Two, and the two written as one. */
const MAX_ANNOUNCING_WORDS = 3;

function isSecretWord(word: string): boolean {
  return SECRET_WORDS.has(word) || SECRET_STEM.test(word);
}

const ANNOUNCING_WORDS = new Set(
  'activate activation confirm invite invitation magic recover recovery reset unsubscribe verification verify'.split(
    ' ',
  ),
);

/**
 * Whether the next segment of a path behind this one is a secret: `/otp/4711`, `/verify-email/77af`. A title that has such
 * a word in it, as in `/formal-verification-tools/2021`, announces nothing.
 */
export function isAnnouncement(segment: string): boolean {
  const words = wordsOf(segment);
  return words.length <= MAX_ANNOUNCING_WORDS && words.some((word) => isSecretWord(word) || ANNOUNCING_WORDS.has(word));
}

/** Whether a password stands under this name. */
export function isPasswordName(name: string): boolean {
  return wordsOf(name).some((word) => PASSWORD_WORDS.has(word));
}

/** `accessToken`, `access-token` and `ACCESS_TOKEN` give the same words; the name without its separators is one too. */
function wordsOf(name: string): string[] {
  if (/^[a-z]{0,64}$/.test(name)) return [name];
  const short = name.slice(0, 64);
  const words = short
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return [...words, short.toLowerCase().replace(/[^a-z]/g, '')];
}

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i;
const JWT = /eyJ[\w-]{8,}\.[\w-]{8,}/;
const MIN_RANDOM_LENGTH = 16;

/** Whether a value gives itself away as a secret, whatever its name: a UUID, a JWT, a card number, long random text. */
export function isSecretValue(value: string): boolean {
  if (value.length < 13) return false;
  return isCardNumber(value) || UUID.test(value) || JWT.test(value) || isRandom(value);
}

/** 13 to 19 digits with the check digit of ISO/IEC 7812-1, annex B. Numbers of articles and books are as long. */
function isCardNumber(value: string): boolean {
  if (!/^\d{13,19}$/.test(value)) return false;
  const sum = Array.from(value, Number)
    .toReversed()
    .reduce((total, digit, place) => total + (place % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit), 0);
  return sum % 10 === 0;
}

/**
 * Random text changes between small letters, capitals and digits all the time, which words do not: `4f1c9a0e7b3d8a21`
 * in nearly every second place, `summer-holidays-2024` never. Letters alone count as random where few are vowels.
 */
function isRandom(value: string): boolean {
  if (value.length < MIN_RANDOM_LENGTH) return false;
  const runs = value.split(/[^A-Za-z0-9]+/);
  const changes = runs.reduce((sum, run) => sum + changesOf(run), 0);
  return (changes >= 4 && changes * 5 >= value.length) || runs.some(isRandomRun);
}

function isRandomRun(run: string): boolean {
  if (run.length < MIN_RANDOM_LENGTH) return false;
  const letters = run.replace(/\d+/g, '').length;
  const vowels = run.replace(/[^aeiouy]+/gi, '').length;
  const changes = changesOf(run);
  return (changes >= 3 && changes * 6 >= run.length) || (letters >= MIN_RANDOM_LENGTH && vowels * 4 < letters);
}

/** Changes of kind between neighbours. A capital that begins a word is none: `resetPasswordNow` has two. */
function changesOf(run: string): number {
  let changes = 0;
  let before = '';
  for (const character of run) {
    const kind = character <= '9' ? 'digit' : character <= 'Z' ? 'capital' : 'small';
    if (before !== '' && kind !== before && !(before === 'capital' && kind === 'small')) changes++;
    before = kind;
  }
  return changes;
}
