import type { Masking } from './mask.ts';
import { isRandomValue, isShortRandomValue } from './random-looking.ts';
import { isPersonName, isPhoneDigits, isRecordNumber, isVoucher, isWrittenName } from './record-segment.ts';
import type { NameKind } from './secret-name.ts';
import { isAuthorization } from './secret-value.ts';

/** Answers to a yes-or-no question, which a password is not. */
const YES_OR_NO = /^(?:true|false|yes|no|on|off)?$/i;
/** Values that programs send without a token. */
const NOTHING = /^(?:true|false|yes|no|on|off|null|none|undefined|[01])?$/i;
/** A code; a short word is not one: `?code=summer`. */
const CODE = /^(?=.*\d)\S{4,}$|^\S{16,}$/;
/** Device codes that are typed elsewhere (RFC 8628 §6.1). */
const DEVICE_CODE = /^[A-Z\d]{4}-[A-Z\d]{4}$/;
const SIX_DIGITS = /^\d{6}$/;
const SHORT_NUMBER = /^\d{1,9}$/;
/** One or two numbers of degrees. */
const DEGREES = /^[+-]?\d{1,3}(?:\.\d*)?(?:$|[,;~\s])/;
const DECIMALS = /^[+-]?\d{1,3}\.\d+/;
const TWO_NUMBERS = /^[+-]?\d{1,3}(?:\.\d*)?[,;~]\s{0,3}[+-]?\d{1,3}(?:\.\d*)?$/;

/**
 * Returns true if the value of a name of this kind is a secret. `value` is the unescaped text up to the next `=`;
 * `length` counts all characters.
 */
export function isSecretBehind(kind: NameKind, value: string, length: number, { severity }: Masking): boolean {
  if (kind === 'plain' || kind === 'published') return false;
  if (kind === 'password') return length > value.length || !YES_OR_NO.test(value);
  if (severity === 'passwords') return false;
  if (kind === 'secret') return length > value.length || !NOTHING.test(value);
  if (kind === 'cookies') return length > value.length || value.includes('=') || isRandomValue(value);
  if (kind === 'code') return CODE.test(value) || isVoucher(value) || DEVICE_CODE.test(value) || isAuthorization(value);
  if (kind === 'maybe' || kind === 'letter' || kind === 'initial') return isPerhapsSecret(kind, value);
  return isOfPerson(kind, value);
}

function isPerhapsSecret(kind: 'maybe' | 'letter' | 'initial', value: string): boolean {
  if (isRandomValue(value) || isShortRandomValue(value)) return true;
  return (kind === 'letter' && SIX_DIGITS.test(value)) || (kind === 'maybe' && isAuthorization(value));
}

type PersonKind = 'identity' | 'place' | 'position' | 'address' | 'record' | 'telephone' | 'name';

function isOfPerson(kind: PersonKind, value: string): boolean {
  if (kind === 'identity') return !NOTHING.test(value) && !SHORT_NUMBER.test(value);
  if (kind === 'place') return DEGREES.test(value);
  if (kind === 'position') return DECIMALS.test(value) || TWO_NUMBERS.test(value);
  if (kind === 'address') return /\d/.test(value);
  if (kind === 'telephone') return isPhoneDigits(value);
  if (kind === 'name') return isWrittenName(value) || isRandomValue(value);
  return isRecordNumber(value) || isPersonName(value) || isRandomValue(value);
}

const LONG_NUMBER = /^\d{5,}$/;

/** Returns true for a value that is a secret in a link that grants access, such as `/unsubscribe?id=8f3k2m9x`. */
export function isSecretOfLink(value: string): boolean {
  return isRandomValue(value) || LONG_NUMBER.test(value);
}
