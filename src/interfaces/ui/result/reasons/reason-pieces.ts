import type { Reason } from '#src/checks/record/check-result.ts';
import type { Locale } from '../../shell/locale.ts';

/**
 * A piece of a sentence: words in the language of the page, the service's English, and what somebody else wrote, of which a
 * name of a host and the like is to be read from left to right, and other words as their letters want it.
 */
export interface Piece {
  readonly text: string;
  readonly by: 'page' | 'service' | 'host' | 'site';
}

/** A reason as a sentence in the reader's language; in the service's English where this page does not know it. */
export function reasonPieces(
  { code, message, args }: Pick<Reason, 'code' | 'message' | 'args'>,
  locale: Locale,
): Piece[] {
  const sentence = locale.say.reason(code, args);
  if (sentence !== null) {
    // The dot of a suffix and the slash of a path are parts of what they stand before.
    return sentence.split(/([./]?\{\w+\})/).map((piece) => {
      const [, mark = '', name] = /^([./]?)\{(\w+)\}$/.exec(piece) ?? [];
      if (name === undefined) return own(piece);
      const said = argPiece(name, args[name] ?? '', locale);
      return { ...said, text: `${mark}${said.text}` };
    });
  }
  // Where the link leads is said once, in the verdict.
  const prefix = `The link leads on to ${args['inside']}. `;
  return [english(message.startsWith(prefix) ? message.slice(prefix.length) : message)];
}

type Write = (value: string, locale: Locale) => Piece;

const number: Write = (value, { format }) => own(format.number(Number(value)));

/** What is said in the language of the page; all else is quoted. */
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

/** What is quoted as words; all else that is quoted is part of a URL, or is written as strictly. */
const PROSE = new Set(['brand', 'owner', 'title', 'phrase', 'words', 'meant', 'mark', 'providers', 'issuer', 'list']);

function argPiece(name: string, value: string | number, locale: Locale): Piece {
  const write = Object.hasOwn(SAID, name) ? SAID[name] : undefined;
  if (write) return write(String(value), locale);
  return { text: String(value), by: PROSE.has(name) ? 'site' : 'host' };
}

/** Words of the analyzers, as many as there are; in English where there is one that this page does not know. */
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
