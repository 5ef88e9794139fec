import { entriesByCode, entryByNumber, firstNumberOf } from '#src/engine/reasons/sentence.ts';

/** A reason by its code alone, with its weight. */
interface ReasonMark {
  readonly code: string;
  /** In log-odds (nats). */
  readonly weight: number;
}

/** Weights are stored in tenths, in one signed byte. */
const TENTHS = 10;
const MAX_TENTHS = 127;

/**
 * Packs the codes of a result's reasons, by which checks are searched, in three bytes each: the first number of a code in
 * the catalogue, and its weight to a tenth. A code occurs once, with its strongest weight; codes of other versions are left
 * out.
 */
export function packReasons(reasons: readonly ReasonMark[]): Buffer {
  const weights = new Map<number, number>();
  for (const { code, weight } of reasons) {
    const number = firstNumberOf(code);
    if (number !== undefined && !weights.has(number)) weights.set(number, weight);
  }
  const bytes = Buffer.alloc(PACKED_REASON_BYTES * weights.size);
  let at = 0;
  for (const [number, weight] of weights) {
    at = bytes.writeUInt16BE(number, at);
    at = bytes.writeInt8(Math.max(-MAX_TENTHS, Math.min(MAX_TENTHS, Math.round(weight * TENTHS))), at);
  }
  return bytes;
}

/** Bytes of a packed reason. */
export const PACKED_REASON_BYTES = 3;

/** Returns the bytes with which a packed reason of a code may begin: its numbers. */
export function numbersOfReason(code: string): Buffer[] {
  return entriesByCode(code).map(({ number }) => Buffer.from([number >> 8, number & 255]));
}

/** Unpacks reasons, in their order; those of later versions are left out. */
export function unpackReasons(packed: Uint8Array): ReasonMark[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const marks: ReasonMark[] = [];
  for (let at = 0; at + PACKED_REASON_BYTES <= bytes.length; at += PACKED_REASON_BYTES) {
    const code = entryByNumber(bytes.readUInt16BE(at))?.code;
    if (code !== undefined) marks.push({ code, weight: bytes.readInt8(at + 2) / TENTHS });
  }
  return marks;
}
