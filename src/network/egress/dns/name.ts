/** Maximum number of labels in a name of 255 octets (RFC 1035 §2.3.4). */
const MAX_LABELS = 127;
const MAX_NAME_OCTETS = 255;
const DOT = 0x2e;

/** A name read from a message, and the offset behind it. */
export interface NameAt {
  /**
   * Lower case without the final dot; octets that are not letters, digits, hyphens or underscores as `\DDD`. Empty for
   * the root.
   */
  readonly name: string;
  readonly end: number;
}

/** Encodes a name for a query. It must have passed `refuseName`, or be empty for the root. */
export function encodeName(name: string): Uint8Array {
  if (name === '') return Uint8Array.of(0);
  // The length of each label takes the place of the dot before it.
  const octets = Uint8Array.from(Buffer.from(`.${name}.`, 'latin1'));
  let end = octets.length - 1;
  octets[end] = 0;
  for (let at = end - 1; at >= 0; at--) {
    if (octets[at] !== DOT) continue;
    octets[at] = end - at - 1;
    end = at;
  }
  return octets;
}

/** Reads a possibly compressed name (RFC 1035 §4.1.4); null if it exceeds the message, loops or is too long. */
export function readName(message: Uint8Array, start: number): NameAt | null {
  const labels: string[] = [];
  let at = start;
  let end: number | null = null;
  let octets = 1;
  while (labels.length <= MAX_LABELS) {
    const length = message[at];
    if (length === undefined) return null;
    if (length === 0) return { name: labels.join('.'), end: end ?? at + 1 };
    if (length >= 0xc0) {
      const low = message[at + 1];
      if (low === undefined) return null;
      const pointer = ((length & 0x3f) << 8) | low;
      end ??= at + 2;
      // Pointers must point backwards (RFC 1035 §4.1.4), which also prevents loops.
      if (pointer >= at) return null;
      at = pointer;
      continue;
    }
    octets += length + 1;
    if (length > 63 || octets > MAX_NAME_OCTETS || at + 1 + length > message.length) return null;
    labels.push(escapeLabel(message.subarray(at + 1, at + 1 + length)));
    at += 1 + length;
  }
  return null;
}

function escapeLabel(octets: Uint8Array): string {
  const text = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString('latin1');
  const escaped = (character: string) => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`;
  return text.replace(/[^A-Za-z0-9_-]/g, escaped).toLowerCase();
}
