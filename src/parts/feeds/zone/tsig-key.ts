import { secret, textOf } from '#src/core/base/settings/setting-kind.ts';

/** Algorithms of signatures (RFC 8945 §6) by their name, with the length of a signature in bytes. */
export const TSIG_ALGORITHMS = {
  'hmac-sha256': { hash: 'sha256', bytes: 32 },
  'hmac-sha384': { hash: 'sha384', bytes: 48 },
  'hmac-sha512': { hash: 'sha512', bytes: 64 },
} as const;

/** Name of an algorithm. */
export type TsigAlgorithm = keyof typeof TSIG_ALGORITHMS;

/** A secret that a secondary shares with this service. */
export interface TsigKey {
  /** In lower case, without the final dot. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Buffer;
}

/** Length of a secret, in bytes. */
const SECRET_BYTES = { least: 16, most: 128 } as const;

const MAX_NAME = 200;

/** A key in the notation of `dig -y`. */
export const tsigKey = secret(
  textOf<TsigKey>(
    'NAME:SECRET or ALGORITHM:NAME:SECRET, as for dig -y: hmac-sha256 (default), hmac-sha384 or hmac-sha512, and a secret of 16 to 128 bytes in base64',
    readKey,
    ({ algorithm, name }) => `${algorithm}:${name}:***`,
  ),
);

function readKey(text: string): TsigKey | null {
  const parts = text.split(':');
  const [algorithm, name = '', encoded = ''] = parts.length === 2 ? ['hmac-sha256', ...parts] : parts;
  if (parts.length > 3 || !isAlgorithm(algorithm)) return null;
  const isName = /^[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*\.?$/i.test(name) && name.length <= MAX_NAME;
  const key = Buffer.from(encoded, 'base64');
  const isSecret = /^[A-Za-z\d+/]+={0,2}$/.test(encoded);
  if (!isName || !isSecret || key.length < SECRET_BYTES.least || key.length > SECRET_BYTES.most) return null;
  return { name: name.toLowerCase().replace(/\.$/, ''), algorithm, secret: key };
}

function isAlgorithm(text: string | undefined): text is TsigAlgorithm {
  return text !== undefined && Object.hasOwn(TSIG_ALGORITHMS, text);
}
