/** UTF-16 by how a declaration begins in it (HTML standard, "xml encoding"). */
const WIDE = [
  { encoding: 'utf-16le', beginning: [0x3c, 0, 0x3f, 0, 0x78, 0] },
  { encoding: 'utf-16be', beginning: [0, 0x3c, 0, 0x3f, 0, 0x78] },
] as const;

const NARROW = [...'<?xml'].map((character) => character.charCodeAt(0));

/** Returns the label of the encoding that an XML declaration at the very start names; null if it names none. */
export function xmlDeclarationLabel(bytes: Uint8Array): string | null {
  const wide = WIDE.find(({ beginning }) => beginning.every((byte, i) => bytes[i] === byte));
  if (wide) return wide.encoding;
  if (!NARROW.every((byte, i) => bytes[i] === byte)) return null;
  const end = bytes.indexOf(0x3e);
  if (end === -1) return null;
  const declaration = new TextDecoder('windows-1252').decode(bytes.subarray(0, end));
  const match = /\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(declaration);
  return match?.[1] ?? match?.[2] ?? null;
}
