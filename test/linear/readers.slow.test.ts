import { describe, expect, test } from 'bun:test';
import { roomOf } from '#test/support/layers.ts';
import { readSources } from '#test/support/source-files.ts';
import { growthOf, MOST_GROWTH } from './growth.ts';
import { BESIDE, NO_READERS } from './readers.ts';

/** The rooms that read what third parties wrote. */
const ROOMS =
  /^(?:core|network)\/|^engine\/(?:unwrap|lexical|analyzers|campaigns|message|mail-verdict)\/|^checks\/record\/|^admin\/active\/pack-state|^parts\/lists\/|^parts\/packs\/packs\//;

/** What is named so is a place on this machine or a word of the code, not a text to be read. */
const OWN_PARAMETER =
  /^(?:path|pathInSrc|dataDir|folder|setting|fileName|expected|description|entry|domains|lines|character|reason|address: string\)?: Promise)$/;

interface Reader {
  /** The file below `src` and the function. */
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly takesBytes: boolean;
  /** Parameters that it must be given beside the text. */
  readonly others: number;
}

const FUNCTION = /^export (?:async )?function\*? (\w+)(?:<[^>]*>)?\(([^{]*?)\)(?::|\s*\{)/gm;

/** The exported functions of a source that take a text or bytes first. */
function readersIn({ path, text }: { readonly path: string; readonly text: string }): Reader[] {
  return [...text.matchAll(FUNCTION)].flatMap(([, name = '', list = '']): Reader[] => {
    const parameters = list.split(/,(?![^(<]*[>)])/).filter((one) => one.trim() !== '');
    const [, first = '', type = ''] = /^\s*(\w+): (string|Uint8Array|Buffer)\b(?!\[)/.exec(parameters[0] ?? '') ?? [];
    if (type === '' || OWN_PARAMETER.test(first)) return [];
    const others = parameters.slice(1).filter((one) => !/=(?!>)|^\s*\w+\?:/.test(one)).length;
    return [{ id: `${path} ${name}`, path, name, takesBytes: type !== 'string', others }];
  });
}

const readers = (await readSources())
  .filter(({ path }) => ROOMS.test(path))
  .flatMap(readersIn)
  .filter(({ id }) => !Object.hasOwn(NO_READERS, id));

/** What stumbles readers: nests that do not close, marks, separators, beginnings of links, of escapes, of numbers. */
const UNITS = [
  ...'a0 .-_/\\@:;,&?=#%+*<>()[]{}|"\'`~^$!\n\t\0é。\u0300\u200b\ud800',
  ...[
    'a.',
    'a b ',
    ' a=',
    '//',
    'http://',
    'https://a.example/',
    'http://a.example/ \n',
    '[a](http://',
    '<a href="',
    '<a ',
  ],
  ...[
    '</a>',
    '<!--',
    '<script>',
    '<iframe srcdoc="',
    '&amp;',
    '&#x41;',
    '%25',
    '%41',
    'eyJ',
    '"a":"',
    "'a':",
    '\\"a\\":',
  ],
  ...[
    'a@b.c ',
    'www.',
    '[.]',
    '(',
    '1.2.3.4 ',
    '::',
    'xn--a.',
    'a,b;',
    'a.com,',
    'www.a.b;',
    '> ',
    '=?utf-8?q?a?=',
    'a: b\n',
    'a: b\r\n c\r\n',
    '--a\r\n',
  ],
  ...[
    '/reset/abcd',
    'token=a&',
    '/*',
    "['",
    '\\u0041',
    "document.write('",
    '0x',
    '\x30\x03\x02\x01\x00',
    '{"a":[',
    '@media{',
    'url(',
  ],
];

/** The texts of a length, each with and without something before and behind it that a reader would begin or end with. */
function* textsOf(): Generator<(length: number) => string> {
  for (const unit of UNITS) {
    for (const [start, end] of [
      ['', ''],
      ['http://a.example/', '>'],
      ['<a href="', 'x\n!'],
    ] as const) {
      yield (length) => start + unit.repeat(Math.ceil(length / unit.length)) + end;
    }
  }
}

async function worstOf({ path, name, takesBytes, id }: Reader): Promise<object | null> {
  const read: unknown = (await import(`#src/${path}`))[name];
  if (typeof read !== 'function') throw new Error(`${id} is no function`);
  for (const textOf of textsOf()) {
    const texts = new Map<number, unknown>();
    const given = (length: number) =>
      texts.getOrInsertComputed(length, () =>
        takesBytes ? new Uint8Array(Buffer.from(textOf(length))) : textOf(length),
      );
    const growth = await growthOf(async (length) => {
      try {
        const found: unknown = await read(given(length), ...(BESIDE[id]?.() ?? []));
        // A generator reads while it is asked.
        if (typeof found === 'object' && found !== null && Symbol.iterator in found)
          Array.from(found as Iterable<unknown>);
      } catch (error) {
        // Whoever refuses what cannot be read has read it.
        if (error instanceof TypeError) throw error;
      }
    });
    if (growth > MOST_GROWTH) return { text: textOf(40).slice(0, 80), growth };
  }
  return null;
}

test('the list has every reader with further parameters, and no unknown function', () => {
  const needed = readers.filter(({ others }) => others > 0).map(({ id }) => id);
  expect(needed.filter((id) => !Object.hasOwn(BESIDE, id))).toEqual([]);
  const known = new Set(readers.map(({ id }) => id));
  expect(Object.keys(BESIDE).filter((id) => !known.has(id))).toEqual([]);
  expect(readers.length).toBeGreaterThan(120);
});

describe('doubling the text multiplies the reading time by at most 2.5', () => {
  const byRoom = Map.groupBy(readers, ({ path }) => roomOf(path));
  test.each([...byRoom.keys()].toSorted())('%s', async (room) => {
    const slow: object[] = [];
    for (const reader of byRoom.get(room) ?? []) {
      const worst = await worstOf(reader);
      if (worst !== null) slow.push({ id: reader.id, ...worst });
    }
    expect(slow).toEqual([]);
  });
});
