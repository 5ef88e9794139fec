import { linesOf } from './lines.ts';

/** Texts of an invitation or a card that a program shows. */
export interface ShownProperties {
  /** Texts and addresses, separated by blank lines. */
  readonly text: string;
  /** Markup, as mail programs add it for descriptions. */
  readonly markup: string;
}

/** Properties whose values are texts (RFC 5545, RFC 7986, RFC 6350). */
const TEXTS = /^(?:description|summary|location|comment|contact|note|title|x-alt-desc|styled-description)$/;

/** Properties whose values are addresses that a program offers to open; extensions with a web address are as well. */
const ADDRESSES = /^(?:url|conference|attach|source|socialprofile|x-.*)$/;

/** Name with its group, parameters, which may have colons in quotes, and value. */
const PROPERTY = /^(?:[\w-]{1,60}\.)?([\w-]{1,60})((?:;(?:[^":;]|"[^"]*"){0,1000}){0,50}):(.*)$/s;

/**
 * Returns what an invitation (iCalendar), a card (vCard) or a note shows, with folded lines joined and escapes undone;
 * null for other texts. People, identifiers and times are left out: they are not links.
 */
export function shownProperties(text: string): ShownProperties | null {
  if (!/^\s{0,100}BEGIN:V[A-Z]{3,20}\s/i.test(text)) return null;
  const texts: string[] = [];
  const markup: string[] = [];
  for (const line of unfolded(text)) {
    const [, name = '', parameters = '', written = ''] = PROPERTY.exec(line) ?? [];
    const value = unescaped(decoded(written, parameters));
    const key = name.toLowerCase();
    if (/text\/html/i.test(parameters) && (TEXTS.test(key) || key.startsWith('x-'))) markup.push(value);
    else if (TEXTS.test(key)) texts.push(value);
    else if (ADDRESSES.test(key) && (key === 'url' || /^\s*https?:/i.test(value))) texts.push(value.trim());
    const [, embedded = ''] = /;altrep="data:text\/html[^",]*,([^"]*)"/i.exec(parameters) ?? [];
    markup.push(percentDecoded(embedded));
  }
  // A line break of a text is one that its writer made: it cuts no link.
  return { text: texts.join('\n').replaceAll('\n', '\n\n'), markup: markup.join('\n') };
}

/** Joins folded lines (RFC 5545 §3.1), and those of quoted-printable (vCard 2.1). */
function unfolded(text: string): string[] {
  const lines: string[] = [];
  let pieces: string[] = [];
  let isSoft = false;
  for (const line of linesOf(text)) {
    const isFolded = /^[ \t]/.test(line);
    if (!isFolded && !isSoft) {
      lines.push(pieces.join(''));
      pieces = [];
    }
    pieces.push(isFolded && !isSoft ? line.slice(1) : line);
    isSoft = line.endsWith('=') && /quoted-printable/i.test(pieces[0] ?? '');
    if (isSoft) pieces.push(pieces.pop()?.slice(0, -1) ?? '');
  }
  return [...lines, pieces.join('')];
}

function decoded(value: string, parameters: string): string {
  if (!/quoted-printable/i.test(parameters)) return value;
  // Where it is no UTF-8, an address is still readable.
  const bytes = value.replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unescaped(value: string): string {
  return value.replace(/\\([nN\\,;:])/g, (_, escaped: string) => (/n/i.test(escaped) ? '\n' : escaped));
}
