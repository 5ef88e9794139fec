/** First byte of each value. */
export const TAG = {
  null: 0,
  false: 1,
  true: 2,
  float: 3,
  integer: 4,
  decimal: 5,
  text: 6,
  /** Text that UTF-8 cannot encode: half of a surrogate pair. */
  units: 7,
  /** A part of the URL. */
  slice: 8,
  /** An earlier text. */
  earlier: 9,
  word: 10,
  list: 11,
  object: 12,
  moment: 13,
  reason: 14,
  sentence: 15,
} as const;

/** From here on a byte encodes a word, a small number or a shape by itself. */
export const FIRST_WORD = 16;
export const FIRST_NUMBER = 128;
export const FIRST_SHAPE = 224;

/** Version of written records. All earlier versions are readable. */
export const PACK_VERSION = 2;

/** Limits up to which a decimal number takes less space than a double. */
export const MAX_DECIMALS = 4;
export const MAX_SCALED = 1_000_000;

/** Frequent texts of records. A record stores their index: new ones are appended, and none is changed or removed. */
export const WORDS: readonly string[] = [
  '',
  ...['disabled', 'not_applicable', 'not_found', 'timeout', 'unreachable', 'refused_by_policy', 'error', 'ok'],
  ...['url', 'brand', 'page', 'redirects', 'dns', 'registration', 'certificate', 'lists'],
  ...['allow', 'warn', 'block', 'get', 'post', 'dialog', 'rdap', 'whois', 'truncated', 'status'],
  ...['text', 'password', 'email', 'hidden', 'other', 'user_name', 'number', 'phone', 'search', 'textarea', 'file'],
  ...['card_number', 'card_code', 'one_time_code', 'seed_phrase', 'identity_number', 'bank_account'],
  ...['TLSv1.3', 'TLSv1.2', 'RSA 2048', 'RSA 4096', 'EC P-256', 'EC P-384', 'sha256WithRSAEncryption'],
  ...['ecdsa-with-SHA256', 'ecdsa-with-SHA384', 'client transfer prohibited', 'issue', 'issuewild', 'iodef'],
  ...['a password', 'a website builder', 'a free host', 'a platform for web apps', 'a platform for code'],
  ...['a file store', 'a blog platform', 'a link shortener', 'a form platform', 'a dynamic-DNS name'],
  ...['http', 'refresh', 'script', 'frame', 'link', 'full', 'partial', 'url_only'],
];
