import PACKED_RTF from './packed-rtf.json';

/** Maximum size of the unpacked text, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Marks of the header (MS-OXRTFCP §2.1.3): packed, or as it is. */
const PACKED = 0x75465a4c;
const PLAIN = 0x414c454d;

const HEADER_BYTES = 16;

/** The first contents of the dictionary. */
const { dictionary: FIRST_DICTIONARY } = PACKED_RTF;

const DICTIONARY_BYTES = 4096;

/** Unpacks the text of a message in Rich Text Format, up to an error or a limit; empty if it has no such header. */
export function unpackRtf(packed: Uint8Array): Uint8Array {
  if (packed.length < HEADER_BYTES) return new Uint8Array();
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const [size, mark] = [view.getUint32(4, true), view.getUint32(8, true)];
  if (mark === PLAIN) return packed.subarray(HEADER_BYTES, HEADER_BYTES + size);
  if (mark !== PACKED) return new Uint8Array();
  // A token of two bytes stands for at most 17.
  const text = new Uint8Array(Math.min(size, MAX_BYTES, 9 * packed.length));
  const dictionary = new Uint8Array(DICTIONARY_BYTES);
  dictionary.set(new TextEncoder().encode(FIRST_DICTIONARY));
  let written = FIRST_DICTIONARY.length;
  let length = 0;
  const write = (byte: number) => {
    text[length++] = byte;
    dictionary[written++ % DICTIONARY_BYTES] = byte;
  };
  for (let at = HEADER_BYTES; at < packed.length; ) {
    const control = packed[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < packed.length; bit++) {
      if (length >= text.length) return text;
      if (((control >> bit) & 1) === 0) {
        write(packed[at++] ?? 0);
        continue;
      }
      const token = ((packed[at] ?? 0) << 8) | (packed[at + 1] ?? 0);
      at += 2;
      const offset = token >> 4;
      if (offset === written % DICTIONARY_BYTES) return text.subarray(0, length);
      for (let index = 0; index < (token & 15) + 2 && length < text.length; index++)
        write(dictionary[(offset + index) % DICTIONARY_BYTES] ?? 0);
    }
  }
  return text.subarray(0, length);
}
