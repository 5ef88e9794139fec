import { createHmac, timingSafeEqual } from 'node:crypto';
import { DNS, type TsigRecord, wireName } from './message.ts';
import { TSIG_ALGORITHMS, type TsigKey } from './settings.ts';

/** Errors of signatures (RFC 8945 §3). */
export const TSIG_ERROR = { NONE: 0, BADSIG: 16, BADKEY: 17, BADTIME: 18, BADTRUNC: 22 } as const;

/** Seconds by which clocks may differ (RFC 8945 §10). A sender may ask for less, not for more. */
const FUDGE_SECONDS = 300;

/** Result of examining a signature: the key, and what is wrong. */
export interface TsigCheck {
  /** Null if no key has this name and algorithm. */
  readonly key: TsigKey | null;
  readonly error: (typeof TSIG_ERROR)[keyof typeof TSIG_ERROR];
}

/** Fields of a signature that are hashed with the message. */
interface TsigFields extends Pick<TsigRecord, 'timeSigned' | 'fudge' | 'error' | 'other'> {
  /** True for the second and later messages of an answer, in which the times alone are hashed (RFC 8945 §5.3.1). */
  readonly isFollowing: boolean;
}

/**
 * Examines the signature of a message.
 *
 * @param prior signature of the message that this one answers; null for a request
 */
export function checkTsig(
  message: Buffer,
  tsig: TsigRecord,
  keys: readonly TsigKey[],
  nowSeconds: number,
  prior: Buffer | null = null,
): TsigCheck {
  const key = keys.find(({ name, algorithm }) => name === tsig.keyName && algorithm === tsig.algorithm) ?? null;
  if (key === null) return { key, error: TSIG_ERROR.BADKEY };
  const unsigned = Buffer.from(message.subarray(0, tsig.start));
  unsigned.writeUInt16BE(tsig.originalId, 0);
  unsigned.writeUInt16BE(unsigned.readUInt16BE(10) - 1, 10);
  const mac = macOf(unsigned, key, prior, { ...tsig, isFollowing: false });
  const least = Math.max(10, mac.length / 2);
  const given = tsig.mac;
  const isShort = given.length >= least && given.length < mac.length;
  const compared = isShort ? mac.subarray(0, given.length) : mac;
  if (given.length !== compared.length || !timingSafeEqual(given, compared)) return { key, error: TSIG_ERROR.BADSIG };
  const isLate = Math.abs(nowSeconds - tsig.timeSigned) > Math.min(tsig.fudge, FUDGE_SECONDS);
  if (isLate) return { key, error: TSIG_ERROR.BADTIME };
  return { key, error: isShort ? TSIG_ERROR.BADTRUNC : TSIG_ERROR.NONE };
}

/** Parameters of a signature. */
export interface Signing {
  readonly key: TsigKey;
  /** Signature of the message before: of the request, or of the message before in an answer of several; null for a request. */
  readonly prior: Buffer | null;
  readonly timeSigned: number;
  readonly error?: number;
  readonly other?: Buffer;
  readonly isFollowing?: boolean;
}

/** Signs a message that has no signature; `mac` is the signature on which that of the next message rests. */
export function signMessage(
  message: Buffer,
  { key, prior, timeSigned, error = TSIG_ERROR.NONE, other = Buffer.alloc(0), isFollowing = false }: Signing,
) {
  const mac = macOf(message, key, prior, { timeSigned, fudge: FUDGE_SECONDS, error, other, isFollowing });
  const names = { keyName: key.name, algorithm: key.algorithm };
  return { bytes: withTsig(message, { ...names, timeSigned, fudge: FUDGE_SECONDS, mac, error, other }), mac };
}

/** Appends a signature record to a message. */
export function withTsig(
  message: Buffer,
  tsig: Pick<TsigRecord, 'keyName' | 'algorithm' | 'timeSigned' | 'fudge' | 'mac' | 'error' | 'other'>,
): Buffer {
  const [owner, algorithm] = [wireName(tsig.keyName), wireName(tsig.algorithm)];
  const length = algorithm.length + 16 + tsig.mac.length + tsig.other.length;
  const bytes = Buffer.concat([message, owner, Buffer.alloc(10), algorithm, Buffer.alloc(length - algorithm.length)]);
  bytes.writeUInt16BE(bytes.readUInt16BE(10) + 1, 10);
  const head = message.length + owner.length;
  bytes.writeUInt16BE(DNS.TSIG, head);
  bytes.writeUInt16BE(DNS.ANY, head + 2);
  bytes.writeUInt16BE(length, head + 8);
  const times = head + 10 + algorithm.length;
  bytes.writeUIntBE(tsig.timeSigned, times, 6);
  bytes.writeUInt16BE(tsig.fudge, times + 6);
  bytes.writeUInt16BE(tsig.mac.length, times + 8);
  tsig.mac.copy(bytes, times + 10);
  const tail = times + 10 + tsig.mac.length;
  message.copy(bytes, tail, 0, 2);
  bytes.writeUInt16BE(tsig.error, tail + 2);
  bytes.writeUInt16BE(tsig.other.length, tail + 4);
  tsig.other.copy(bytes, tail + 6);
  return bytes;
}

/** Returns the signature of a message (RFC 8945 §4.3). */
function macOf(message: Buffer, key: TsigKey, prior: Buffer | null, fields: TsigFields): Buffer {
  const hmac = createHmac(TSIG_ALGORITHMS[key.algorithm].hash, key.secret);
  if (prior !== null) hmac.update(Uint8Array.of(prior.length >> 8, prior.length & 0xff)).update(prior);
  hmac.update(message);
  const times = Buffer.alloc(8);
  times.writeUIntBE(fields.timeSigned, 0, 6);
  times.writeUInt16BE(fields.fudge, 6);
  if (fields.isFollowing) return hmac.update(times).digest();
  const classAndTtl = Uint8Array.of(0, DNS.ANY, 0, 0, 0, 0);
  const ends = Buffer.alloc(4);
  ends.writeUInt16BE(fields.error, 0);
  ends.writeUInt16BE(fields.other.length, 2);
  hmac.update(wireName(key.name)).update(classAndTtl).update(wireName(key.algorithm));
  return hmac.update(times).update(ends).update(fields.other).digest();
}

/** Seconds since the Unix epoch as the other data of BADTIME (RFC 8945 §5.2.3). */
export function timeBytes(seconds: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(seconds, 0, 6);
  return bytes;
}
