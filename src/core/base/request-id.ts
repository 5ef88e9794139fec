/**
 * Creates a UUIDv7 (RFC 9562 §5.7) for a time in milliseconds since the Unix epoch, with all 74 free bits random. It
 * has no counter, so that a gap between two ids does not reveal a private check.
 */
export function createRequestId(nowMs: number): string {
  const time = Math.floor(nowMs).toString(16).padStart(12, '0');
  // The tail of a UUIDv4 has the same layout: 12 random bits, the variant, 62 random bits.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Returns whether a text is a request id as {@link createRequestId} formats it; such texts sort by time. */
export function isRequestId(text: string): boolean {
  return UUID.test(text);
}

/** Returns the 16 bytes of a request id. Throws if the text is not one. */
export function requestIdBytes(id: string): Buffer {
  if (!isRequestId(id)) throw new Error('is not a request id');
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/** Formats 16 bytes as a request id. */
export function requestIdText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns the start time of a check by its id, in whole milliseconds since the Unix epoch. */
export function requestIdMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Returns a lower bound for the request ids of this millisecond and later ones, above all earlier ids. */
export function requestIdLowerBound(ms: number): string {
  const time = Math.min(Math.max(Math.ceil(ms), 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

const ID_BYTES = 16;

/** Returns the bytes of request ids, one after the other. Throws if a text is not one. */
export function requestIdsBytes(ids: readonly string[]): Buffer {
  return Buffer.concat(ids.map(requestIdBytes));
}

/** Formats bytes as request ids; a cut one at their end is left out. */
export function requestIdsIn(bytes: Uint8Array): string[] {
  const count = Math.floor(bytes.length / ID_BYTES);
  return Array.from({ length: count }, (_, i) => requestIdText(bytes.subarray(i * ID_BYTES, (i + 1) * ID_BYTES)));
}
