import { MAX_CAPTURED_LENGTH, truncateText } from '#src/core/base/text/truncate-text.ts';
import { escapeCharacter, visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { DER, type DerElement, expectDer, readDerElements, readDerOid } from './der.ts';

/** Short names of attributes (RFC 4519 §2 and RFC 2985 §5.2.1). */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
};
const BMP_STRING = 0x1e;
const UTF8_STRING = 0x0c;

/**
 * A distinguished name for a person to read, the most telling part first, such as `CN=example.com, O=Example\, Inc.`.
 * Characters that could steer a terminal or break a line become `\xNN`. At most 1,024 of them;
 * empty for an empty name.
 */
export function formatX509Name(name: DerElement): string {
  const parts = readDerElements(name.content).flatMap((set) =>
    readDerElements(expectDer(set, DER.set).content).map((pair) => {
      const [type, value] = readDerElements(expectDer(pair, DER.sequence).content);
      const oid = readDerOid(type);
      return `${ATTRIBUTES[oid] ?? oid}=${escapeText(value ? readText(value) : '').replaceAll(',', '\\,')}`;
    }),
  );
  return truncateText(parts.reverse().join(', '), MAX_CAPTURED_LENGTH);
}

/** Text of a certificate, in which what is hidden, and the backslash, is written as `\xNN` or `\u{N}`. */
export function escapeText(text: string): string {
  return visibleInTerminal(text.replaceAll('\\', escapeCharacter));
}

/** The string types of X.680 that occur in names; all but two are read as one byte a character. */
function readText({ tag, content }: DerElement): string {
  if (tag === UTF8_STRING) return new TextDecoder().decode(content);
  if (tag === BMP_STRING) return new TextDecoder('utf-16be').decode(content);
  return new TextDecoder('latin1').decode(content);
}
