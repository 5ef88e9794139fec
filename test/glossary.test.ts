import { describe, expect, test } from 'bun:test';
import { Glob } from 'bun';
import { SETTINGS } from '#src/app/config.ts';
import { apiDocument } from '#src/app/parts/api-document.ts';
import { REASONS } from '#src/engine/reasons/catalogue.ts';
import { describeCommand, describeCommands, describeFirst, describeSettings } from '#src/interfaces/cli/help.ts';
import { allCommands } from '#src/interfaces/cli/registry.ts';
import { TEXTS } from '#src/service/manual/texts.ts';
import { readSources } from './support/source-files.ts';

/** The first column of the glossary, as words of a sentence; names in code are other people's interface. */
const NOT: readonly RegExp[] = [
  /\bwhoever\b/i,
  /(?<!\b(?:text|search|check) )\bbox(?:es)?\b/i,
  /\b(?:tells?|told)\b/i,
  /\b(?:teach(?:es)?|taught)\b/i,
  /\bstrangers?\b/i,
  /\bjudg(?:e|es|ed|ing|ement)\b/i,
  /\blook(?:s|ed|ing)? at\b/i,
  /\bthe door\b/i,
  /\bways in\b(?! which)/i,
  /\bmade[- ]up\b(?! for)/i,
  /\bin force\b/i,
  /\bis away\b/i,
  /\bbad day\b/i,
  /\b(?:goes|go|way) back\b/i,
  /\bread again at\b/i,
  /\bwhether to\b|(?:^|[.:] )Whether\b(?! a check)/,
  /\bsign of life\b/i,
  /\bin place of\b/i,
  /\ba line a\b|\d a (?:second|minute|day)\b/i,
  /(?<!there )\bis (?:none|nothing for)\b/i,
  /\bput together\b/i,
  /(?<!\/)\bsticks?\b/i,
  /\bthe newest\b/i,
  /\blook-ups?\b/i,
  /\btime-outs?\b/i,
  /\bstands? (?:in|at|under|beside)\b/i,
  /\bgo(?:es)? by\b(?! themselves)/i,
  /\btakes? (?:it |them |this |these )?up\b/i,
  /\bsees? to it\b/i,
  /\bcarried (?:here|there)\b/i,
  /\bhas gone\b/i,
  /\banew\b/i,
  /\bof which it tells\b|\blest\b|\ball the same\b/i,
];

/** A docstring names what an export does or is, and conditions say "if". */
const NOT_PLAIN: readonly RegExp[] = [
  /^\s*\/\*\* (?:What|Whether|Where|Those|Who|Whoever|Nobody|Somebody|Nothing)\b/,
  /\b(?:null|none|empty|absent|true|false|throws) where\b/i,
];

function refusedIn(text: string): string[] {
  return text
    .replace(/```.*?```|`[^`]*`|<!--.*?-->/gs, '')
    .split('\n')
    .flatMap((line) => NOT.flatMap((word) => (word.test(line) ? [`${word.source}: ${line.trim()}`] : [])));
}

/** Documents for people, beside the README and the manual. */
const DOCUMENTS = [
  '.github/CONTRIBUTING.md',
  '.github/RELEASING.md',
  '.github/SECURITY.md',
  'src/service/server/INTERFACE.md',
  'src/parts/packs/packs/FORMAT.md',
  'src/engine/models/MODEL_CARD.md',
];

/** Literals of the errors that a file of the program creates. */
function errorTextsIn(source: string): string[] {
  return [...source.matchAll(/\bnew \w*Error\(/g)].flatMap(({ index, 0: { length } }) => {
    const call = source.slice(index, closingOf(source, index + length));
    return call.match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? [];
  });
}

/** Position of the bracket that closes what is open at `from`. */
function closingOf(source: string, from: number): number {
  let open = 1;
  let at = from;
  for (; open > 0 && at < source.length; at++) open += Number(source[at] === '(') - Number(source[at] === ')');
  return at;
}

/** A participle that names an exported value or a member of a type, instead of its role. */
const PARTICIPLE =
  /^export (?:async )?(?:const|let|function\*?|class|interface|type) (shown|found|said|given|known|meant|wanted|asked|told)\b|^ +(?:readonly )?(shown|found|said|given|known|meant|wanted|asked|told)\??(?:\(.*\))?: (?!.*[,({]$).*;$/gm;

/** Files whose names are columns of a database or members of the API, which never change. */
const PARTICIPLES_LEFT: readonly string[] = [
  'parts/lists/find-entries.ts',
  'checks/store/deletions/deletion-target.ts',
  'parts/console-elements/elements/live-list.ts',
  'parts/postgres/session/server-guard.ts',
];

/** Comments of a source, each on one line. */
function commentsIn(source: string): string[] {
  return [...source.matchAll(/\/\*\*[\s\S]*?\*\/|^[ \t]*\/\/ .*$/gm)].map(([comment]) =>
    comment.replaceAll(/\n\s*(?:\*(?!\/))? ?/g, ' '),
  );
}

/** Every text of the API description that people read. */
function describedIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    (key === 'description' || key === 'summary') && typeof member === 'string' ? [member] : describedIn(member),
  );
}

/** What is refused in some texts, each with the name of its text. */
function refusedAmong(texts: Readonly<Record<string, string>>): string[] {
  return Object.entries(texts).flatMap(([name, text]) => refusedIn(text).map((found) => `${name}: ${found}`));
}

/** Titles of tests and of their groups in a source, without quotes. */
function titlesIn(source: string): string[] {
  const titles = source.matchAll(/^ *(?:test|describe)(?:\.\w+)*\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gm);
  const each = source.matchAll(/^ *\)?[^\n]*\)\(\s*(['"`])((?:\\.|(?!\1).)*)\1, (?:async )?\(/gm);
  return [...titles, ...each].map(([, , title = '']) => title);
}

describe('the search', () => {
  test('finds a word of the first column, but not in code', () => {
    expect(refusedIn('Whoever runs a box is told.')).toHaveLength(3);
    expect(refusedIn('The operator runs a host: `box tells`.')).toEqual([]);
  });

  test('finds comments, also in several lines', () => {
    expect(commentsIn("/**\n * What is\n * told.\n */\nconst a = 'b'; // no\n  // Anew.\n")).toEqual([
      '/** What is told. */',
      '  // Anew.',
    ]);
  });

  test('finds the texts of errors', () => {
    const source = "if (a(b)) throw new UsageError(`a (b) is none`, [c('x')]);\nreturn 'not this';";
    expect(errorTextsIn(source)).toEqual(['`a (b) is none`', "'x'"]);
  });
});

describe('the terms of the glossary are used', () => {
  test('in the README, help and settings', async () => {
    const commands = await allCommands();
    expect(
      refusedAmong({
        readme: await Bun.file('README.md').text(),
        first: describeFirst(),
        all: describeCommands(commands),
        settings: describeSettings(),
        ...Object.fromEntries(commands.map((command) => [command.name, describeCommand(command)])),
        ...Object.fromEntries(Object.entries(SETTINGS).map(([key, { description }]) => [key, description])),
      }),
    ).toEqual([]);
  });

  test('in the manual', () => {
    expect(refusedAmong(TEXTS)).toEqual([]);
  });

  test.each(DOCUMENTS)('in %s', async (path) => {
    expect(refusedIn(await Bun.file(path).text())).toEqual([]);
  });

  test('in the API description', async () => {
    expect(describedIn(await apiDocument('')).flatMap(refusedIn)).toEqual([]);
  });

  test('in the sentences of reasons', () => {
    const sentences = REASONS.map(([number, , sentence]) => [number, sentence] as const);
    expect(refusedAmong(Object.fromEntries(sentences))).toEqual([]);
  });

  test('in the help of metrics', async () => {
    const sources = (await readSources()).filter(({ path }) => /-metrics\.ts$/.test(path));
    const helps = sources.flatMap(({ text }) => [
      ...text.matchAll(/'(?:lurecheck|process)_\w+',\s*(['"])((?:(?!\1)[^\\]|\\.)*)\1/g),
    ]);
    expect(helps.length).toBeGreaterThan(30);
    expect(helps.flatMap(([, , help = '']) => refusedIn(help))).toEqual([]);
  });

  test('in comments', async () => {
    expect(
      (await readSources()).flatMap(({ path, text }) =>
        commentsIn(text)
          .flatMap(refusedIn)
          .map((found) => `${path}: ${found}`),
      ),
    ).toEqual([]);
  });

  test('in comments, which begin with a verb or a noun', async () => {
    const comments = (await readSources()).flatMap(({ path, text }) =>
      commentsIn(text).map((comment) => [path, comment] as const),
    );
    expect(comments.length).toBeGreaterThan(8000);
    expect(comments.filter(([, comment]) => NOT_PLAIN.some((pattern) => pattern.test(comment)))).toEqual([]);
  });

  test('in exported names and members of types, which are no participles', async () => {
    const named = (await readSources()).filter(({ text }) => text.match(PARTICIPLE) !== null);
    expect(named.map(({ path }) => path).filter((path) => !PARTICIPLES_LEFT.includes(path))).toEqual([]);
  });

  test('in the titles of tests', async () => {
    const titles: string[] = [];
    for await (const path of new Glob('test/**/*.test.ts').scan()) {
      const source = await Bun.file(path).text();
      titles.push(...titlesIn(source).map((title) => `${path}: ${title}`));
    }
    expect(titles.length).toBeGreaterThan(3000);
    expect(titles.flatMap(refusedIn)).toEqual([]);
  });

  test('in errors', async () => {
    const errors = (await readSources()).flatMap(({ path, text }) =>
      errorTextsIn(text).map((literal) => [path, literal.slice(1, -1)] as const),
    );
    expect(errors.length).toBeGreaterThan(400);
    expect(errors.flatMap(([path, text]) => refusedIn(text).map((found) => `${path}: ${found}`))).toEqual([]);
  });
});
