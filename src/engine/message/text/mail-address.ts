/** A mail address with a domain of several labels, in angle brackets or alone, also behind `mailto:`. */
const ADDRESS =
  /(?:^|[\s<[(:：])(?:mailto:)?([^\s<>()[\]@:,;"]{1,64}@[^\s<>()[\]@:,;"?]{1,253}\.[^\s<>()[\]@:,;".?]{2,63})(?=$|[\s>\])?,;:：])/i;

/** Returns the first mail address of a line; null if it has none. */
export function addressIn(line: string): string | null {
  return ADDRESS.exec(line.slice(0, 1000))?.[1] ?? null;
}

/** Returns the mail address of a line that is nothing else, with or without a name; null for any other line. */
export function addressAlone(line: string): string | null {
  // The query of `mailto:` proposes a subject and a text.
  const [written = ''] = line.split('?', 1);
  const address = addressIn(written);
  if (address === null) return null;
  const rest = written.replace(address, '').replace(/[<>"]/g, '').trim();
  return written.trim().endsWith('>') || rest === '' || /^mailto:$/i.test(rest) ? address : null;
}

/** Returns the part of a mail address behind its last at sign. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
