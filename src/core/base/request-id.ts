/**
 * A UUIDv7 (RFC 9562 §5.7) for the time given in milliseconds since the Unix epoch, with all 74 free bits random.
 * There is no counter in it, so a gap between two ids does not show that a private check happened between them.
 */
export function createRequestId(nowMs: number): string {
  const time = Math.floor(nowMs).toString(16).padStart(12, '0');
  // Behind its version digit a UUIDv4 is what a UUIDv7 is there: 12 random bits, the variant, 62 random bits.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Whether a text is a request id as {@link createRequestId} writes it: in the order of such texts the ids are in order. */
export function isRequestId(text: string): boolean {
  return UUID.test(text);
}

/** The 16 bytes of a request id. Throws where the text is none. */
export function requestIdBytes(id: string): Buffer {
  if (!isRequestId(id)) throw new Error('is no request id');
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/** The request id of 16 bytes. */
export function requestIdText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** When the check began that has this id, in whole milliseconds since the Unix epoch. */
export function requestIdMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** What every request id of this millisecond or a later one comes after, and none of an earlier one. */
export function requestIdsFrom(ms: number): string {
  const time = Math.min(Math.max(Math.ceil(ms), 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
