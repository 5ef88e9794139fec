/** One statement of a WHOIS answer. */
export interface WhoisField {
  /** The heading above it, in the spelling of {@link WhoisField.key}; empty if there is none. */
  readonly section: string;
  /**
   * Normalised key: lower case, without dots, dashes, underscores and a trailing number, so that `Name-Server.2` is
   * `name server`.
   */
  readonly key: string;
  /** Never empty. */
  readonly value: string;
  /** Number of the paragraph: many servers give one object each, first the domain's, then those of its contacts. */
  readonly paragraph: number;
}

const MAX_LINES = 4000;
const MAX_LINE_LENGTH = 1024;
const MAX_KEY_LENGTH = 60;

const COMMENT = /^\s*(?:%|#|>>>|--)/;
/** Prefix of keys of some registries (`.tr`, `.co.jp`): asterisks, or a letter that numbers the line. */
const BULLET = /^\s*(?:\*+\s*|[a-z]\.\s+(?=\[))/;
const BRACKETED = /^\[([^\]]{1,60})\]\s*(.*)$/;
/** `Record created on 2003-05-06`, as `.tw` writes, and `Registered on 6th May 2003`, as `.gg` does. */
const SENTENCE = /^(record (?:created|expires) on|registered on) (\d.*)$/i;
/** A key begins with a letter and contains neither a year nor a host name: those are in values. */
const KEY = /^(?!.*(?:\d{4}|\.[a-z0-9]))[a-z][^:]*$/i;

/**
 * Takes a WHOIS answer apart. There is no standard (RFC 3912 leaves it to each server), but nearly all use one of four
 * layouts: `key: value`; `[key] value`; a key with its values on the lines below, up to a blank line; and a heading
 * with `key: value` lines below.
 */
export function readWhoisFields(text: string): WhoisField[] {
  const fields: WhoisField[] = [];
  let section = '';
  let open = '';
  let paragraph = 0;
  for (const raw of text.split(/\r\n|\n|\r/, MAX_LINES)) {
    const line = raw.slice(0, MAX_LINE_LENGTH).replace(BULLET, '').trim();
    if (COMMENT.test(line)) continue;
    if (line === '') {
      section = '';
      open = '';
      paragraph++;
      continue;
    }
    const pair = splitLine(line);
    if (pair) {
      open = pair.key;
      if (pair.value === '') section = pair.key;
      else fields.push({ section, ...pair, paragraph });
    } else if (open !== '') {
      fields.push({ section, key: open, value: line, paragraph });
    } else {
      section = normalKey(line);
      open = section;
    }
  }
  return fields;
}

function splitLine(line: string): { key: string; value: string } | null {
  const marked = BRACKETED.exec(line) ?? SENTENCE.exec(line);
  if (marked) return { key: normalKey(marked[1] ?? ''), value: (marked[2] ?? '').trim() };
  // The colon of an address (`https://`) parts nothing.
  const colon = line.search(/:(?!\/\/)/);
  const key = line.slice(0, Math.max(colon, 0)).trim();
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) return null;
  return { key: normalKey(key), value: line.slice(colon + 1).trim() };
}

function normalKey(text: string): string {
  return text
    .slice(0, MAX_KEY_LENGTH)
    .toLowerCase()
    .replace(/[\s._-]+/g, ' ')
    .replace(/ ?\d{1,2} ?$/, '')
    .trim();
}
