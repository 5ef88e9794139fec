import type { Reason } from '#src/checks/record/check-result.ts';
import type { Locale } from '../../shell/locale.ts';

/**
 * A piece of a sentence: text of the page's language, the service's English, or untrusted text. Host names and the like
 * are always left to right; other words follow their script.
 */
export interface Piece {
  readonly text: string;
  readonly by: 'page' | 'service' | 'host' | 'site';
}

/** Returns a reason's sentence in pieces; in the service's English if the page does not have its code. */
export function reasonPieces(
  { code, message, args }: Pick<Reason, 'code' | 'message' | 'args'>,
  locale: Locale,
): Piece[] {
  const sentence = locale.say.reason(code, args);
  if (sentence !== null) {
    // The dot before a suffix and the slash before a path belong to the placeholder.
    return sentence.split(/([./]?\{\w+\})/).map((piece) => {
      const [, mark = '', name] = /^([./]?)\{(\w+)\}$/.exec(piece) ?? [];
      if (name === undefined) return own(piece);
      const said = argPiece(name, args[name] ?? '', locale);
      return { ...said, text: `${mark}${said.text}` };
    });
  }
  // The destination is stated in the verdict already.
  const prefix = `The link leads on to ${args['inside']}. `;
  return [english(message.startsWith(prefix) ? message.slice(prefix.length) : message)];
}

type Write = (value: string, locale: Locale) => Piece;

const number: Write = (value, { format }) => own(format.number(Number(value)));

/** Arguments written in the page's language; all others are quoted. */
const SAID: Readonly<Record<string, Write>> = {
  count: number,
  networks: number,
  sites: number,
  redirects: number,
  line: number,
  dead: number,
  links: number,
  forms: number,
  seconds: (value, { format }) => own(format.span(Number(value))),
  years: (value, { format }) => own(format.ago(Number(value), 'year')),
  day: (value, { format }) => own(format.date(value)),
  age: (value, locale) => {
    const days = /^(\d+) days?$/.exec(value)?.[1];
    return days === undefined ? words([value], locale) : own(locale.format.ago(Number(days), 'day'));
  },
  secrets: (value, locale) => words(value.split(/, | and /), locale),
  keys: (value, locale) => words(value.split(' and '), locale),
  sign: (value, locale) => words(value.split(', '), locale),
  signs: (value, locale) => words(value.split(', '), locale),
  // What kind of platform it is; in other sentences its host.
  platform: (value, { say }) => {
    const kind = say.word(value);
    return kind === null ? { text: value, by: 'host' } : own(kind);
  },
};

/** Arguments quoted as words; other quoted arguments are parts of URLs. */
const PROSE = new Set(['brand', 'owner', 'title', 'phrase', 'words', 'meant', 'mark', 'providers', 'issuer', 'list']);

function argPiece(name: string, value: string | number, locale: Locale): Piece {
  const write = Object.hasOwn(SAID, name) ? SAID[name] : undefined;
  if (write) return write(String(value), locale);
  return { text: String(value), by: PROSE.has(name) ? 'site' : 'host' };
}

/** Lists words of the analyzers; in English if the page lacks one of them. */
function words(all: readonly string[], { say, format }: Locale): Piece {
  const said = all.flatMap((word) => {
    const pages = /^leads to (\d+) of its pages$/.exec(word)?.[1];
    if (pages === undefined) return say.word(word) ?? [];
    return say.word('leads to {pages} of its pages')?.replace('{pages}', format.number(Number(pages))) ?? [];
  });
  return said.length < all.length ? english(all.join(', ')) : own(format.list(said));
}

const own = (text: string): Piece => ({ text, by: 'page' });
const english = (text: string): Piece => ({ text, by: 'service' });
