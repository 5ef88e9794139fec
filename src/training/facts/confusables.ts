import { gunzipSync } from 'bun';

/** `0430 ;	0061 ;	MA	# …`: a character and its look-alike, both in hexadecimal code points. */
const LINE = /^([0-9A-F]+) ;\t([0-9A-F ]+) ;/;
const PLAIN = /^[a-z0-9]+$/;
/** Characters that the host of a URL can contain after the URL parser's mapping (UTS #46). */
const HOST_CHARACTER = /^[\p{Ll}\p{Lo}\p{Lm}\p{N}]$/u;
const MARKS = /\p{M}+/gu;

/** Characters that resemble an ASCII letter beside others of their script, which UTS #39 does not list as identical. */
const BY_HAND: Record<string, string> = {
  b: 'вьβ',
  h: 'н',
  k: 'кκ',
  m: 'м',
  n: 'пη',
  r: 'г',
  t: 'тτ',
  u: 'μ',
  w: 'ω',
  e: 'ε',
  d: 'đ',
  o: 'ø',
  l: 'ł',
};

/**
 * Latin letters with the size of small ones and the shape of capitals, by their names in the Unicode Character Database
 * ("LATIN LETTER SMALL CAPITAL …"). UTS #39 maps each of them to itself or to a small letter of another script.
 */
const SMALL_CAPITALS: Record<string, string> = {
  a: 'ᴀ',
  ae: 'ᴁ',
  b: 'ʙ',
  c: 'ᴄ',
  d: 'ᴅ',
  e: 'ᴇ',
  f: 'ꜰ',
  g: 'ɢ',
  h: 'ʜ',
  i: 'ɪ',
  j: 'ᴊ',
  k: 'ᴋ',
  l: 'ʟ',
  m: 'ᴍ',
  n: 'ɴ',
  o: 'ᴏ',
  oe: 'ɶ',
  p: 'ᴘ',
  q: 'ꞯ',
  r: 'ʀ',
  s: 'ꜱ',
  t: 'ᴛ',
  u: 'ᴜ',
  v: 'ᴠ',
  w: 'ᴡ',
  y: 'ʏ',
  z: 'ᴢ',
};

/** Returns the text of `src/core/url/confusables.json`, from the gzipped `confusables.txt` of UTS #39. */
export function deriveConfusables(gzipped: Uint8Array<ArrayBuffer>): string {
  const lookAlikes = new Map<string, Set<string>>();
  const add = (plain: string, characters: string) => {
    const known = lookAlikes.get(plain) ?? new Set();
    for (const character of characters) known.add(character);
    lookAlikes.set(plain, known);
  };
  for (const table of [BY_HAND, SMALL_CAPITALS]) {
    for (const [plain, characters] of Object.entries(table)) add(plain, characters);
  }
  // A character that the table maps to one of those looks like the same letter: it maps к, ĸ and ᴋ to each other.
  const plainOf = new Map([...lookAlikes].flatMap(([plain, characters]) => [...characters].map((it) => [it, plain])));
  for (const line of new TextDecoder().decode(gunzipSync(gzipped)).split('\n')) {
    const [, from, to] = LINE.exec(line) ?? [];
    if (from === undefined || to === undefined) continue;
    const character = fromCodePoints(from);
    const target = fromCodePoints(to).normalize('NFD').replace(MARKS, '').toLowerCase();
    const plain = plainOf.get(target) ?? target;
    const canStandInHost = HOST_CHARACTER.test(character) && character.normalize('NFKC') === character;
    if (character > '\x7f' && canStandInHost && PLAIN.test(plain)) {
      add(plain, character);
    }
  }
  const lines = [...lookAlikes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([plain, characters]) => `    ${JSON.stringify(plain)}: ${JSON.stringify([...characters].sort().join(''))}`);
  return `{
  "source": "Unicode confusables 17.0.0 (UTS #39), what can stand in a host and reads as ASCII; small capitals by their names in the Unicode Character Database, a few by hand",
  "retrieved": "2026-11-23",
  "licence": "Unicode-3.0",
  "entries": {
${lines.join(',\n')}
  }
}
`;
}

function fromCodePoints(hexadecimal: string): string {
  return String.fromCodePoint(
    ...hexadecimal
      .trim()
      .split(' ')
      .map((digits) => Number.parseInt(digits, 16)),
  );
}
