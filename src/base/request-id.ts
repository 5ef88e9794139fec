/**
 * A UUIDv7 (RFC 9562 §5.7) for the time given in milliseconds since the Unix epoch, with all 74 free bits random.
 * There is no counter in it, so a gap between two ids does not show that a private check happened between them.
 */
export function createRequestId(nowMs: number): string {
  const time = Math.floor(nowMs).toString(16).padStart(12, '0');
  // Behind its version digit a UUIDv4 is what a UUIDv7 is there: 12 random bits, the variant, 62 random bits.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
