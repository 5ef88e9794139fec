import { LANGUAGES } from '#src/core/languages/languages.ts';
import { act, command, part, setting } from './operator-recipes.ts';
import type { Recipe } from './recipe.ts';
import type { TreeCopy } from './tree-copy.ts';

const TAGS = Object.keys(LANGUAGES);

/** Adds a code to the catalogue with the next free number and a sentence. */
async function addReason(copy: TreeCopy, code: string, sentence: string): Promise<void> {
  const path = 'src/engine/reasons/catalogue.ts';
  const numbers = [...(await copy.read(path)).matchAll(/\[\s*(\d+),\s*'/g)].map(([, number]) => Number(number));
  const row = `\n  [${Math.max(...numbers) + 1}, '${code}', '${sentence}'],\n] as const satisfies`;
  await copy.replace(path, /\n\] as const satisfies/, row);
}

const TEXTS = 'src/core/languages';

/** Changes the texts of the page in each language. */
async function translate(
  copy: TreeCopy,
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<void> {
  for (const tag of TAGS) {
    await copy.editJson(`${TEXTS}/${tag}.json`, ({ page = {} }) => {
      for (const [section, added] of Object.entries(texts)) Object.assign(page[section] ?? {}, added);
    });
  }
}

/** Gives a feature a weight, and its component a cap. */
async function weigh(copy: TreeCopy, code: string, cap?: object): Promise<void> {
  await copy.editJson('src/engine/models/fusion.json', ({ weights = {}, caps = {} }) => {
    weights[code] = { weight: 1.5, source: 'not measured' };
    if (cap) caps[code.split('.')[0] ?? ''] = cap;
  });
}

const signal: Recipe = {
  async begin(copy) {
    await copy.append(
      'src/engine/analyzers/page/shape-signals.ts',
      `
/** The page tells of the moon. */
export const moon: Signal<'page.moon'> = (view) => (view.document.visibleText.includes('moon') ? findingOf({}) : null);
`,
    );
    const page = 'src/engine/analyzers/page.ts';
    await copy.replace(page, / {2}manyPasswordForms,\n/, '  manyPasswordForms,\n  moon,\n');
    await copy.replace(page, /const SIGNALS = \{/, "$&\n  'page.moon': moon,");
  },
  asked: ['src/engine/analyzers/page.ts', 'src/engine/analyzers/page/shape-signals.ts'],
  async finish(copy) {
    await addReason(copy, 'page.moon', 'The page tells of the moon.');
    await translate(copy, {
      headings: { 'page.moon': 'The moon' },
      reasons: { 'page.moon': 'The page tells of the moon.' },
    });
    await weigh(copy, 'page.moon');
    await copy.replace(
      'test/engine/analyzers/page/signal-pages.ts',
      /SIGNAL_PAGES: .* = \[/,
      "$&\n  ['page.moon', '<p>A full moon', '<p>A full mug'],",
    );
  },
};

const analyzer: Recipe = {
  async begin(copy) {
    await copy.write(
      'src/engine/analyzers/moon.ts',
      `import type { Target } from '#src/core/url/target.ts';
import { type Analyzer, feature } from './analyzer.ts';

/** What the analyzer works on. */
interface MoonSubject {
  readonly target: Target;
}

/** Finds the moon in a host. */
export const moonAnalyzer: Analyzer<'moon', MoonSubject, 'moon.in_host'> = {
  component: 'moon',
  features: ['moon.in_host'],
  analyze({ target: { host } }) {
    const hasMoon = host.text.includes('moon');
    return { features: hasMoon ? [feature('moon.in_host', 1, { host: host.text })] : [], terms: [] };
  },
};
`,
    );
    const index = 'src/engine/analyzers/index.ts';
    await copy.replace(index, /^import .*'\.\/lists\.ts';$/m, "$&\nimport { moonAnalyzer } from './moon.ts';");
    await copy.replace(index, /\n\] as const/, '\n  moonAnalyzer,\n] as const');
    await addReason(copy, 'moon.in_host', 'The moon is up over {host}.');
  },
  asked: [],
  async finish(copy) {
    await translate(copy, {
      sentences: { 'component.moon': 'Moon' },
      headings: { 'moon.in_host': 'The moon' },
      reasons: { 'moon.in_host': 'The moon is up over {host}.' },
    });
    await weigh(copy, 'moon.in_host', { min: 0, max: 2 });
  },
};

const language: Recipe = {
  async begin(copy) {
    await copy.replace(`${TEXTS}/languages.ts`, / {2}pt: \{/, "  la: { name: 'Latina', direction: 'ltr' },\n$&");
  },
  asked: [],
  async finish(copy) {
    // Another recipe has added texts since. Each sentence of the console is another one than in English.
    await copy.write(`${TEXTS}/la.json`, await copy.read(`${TEXTS}/en.json`));
    await copy.editJson(`${TEXTS}/la.json`, ({ console: sentences = {} }) => {
      for (const key of Object.keys(sentences)) Object.assign(sentences, { [key]: `Latine: ${sentences[key]}` });
    });
  },
};

const exportFormat: Recipe = {
  async begin(copy) {
    await copy.write(
      'src/parts/export/moon.ts',
      `import type { LogEntry } from '#src/checks/store/scan-log.ts';

/** A moon for each check. */
export async function* writeMoons(entries: AsyncIterable<LogEntry>): AsyncGenerator<string> {
  for await (const { result } of entries) yield \`moon \${result.decision}\\n\`;
}
`,
    );
    const registry = 'src/parts/export/export-format.ts';
    await copy.replace(registry, /'parquet'\]/, "'parquet', 'moon']");
    await copy.replace(registry, /\n\};/, "\n  moon: async () => (await import('./moon.ts')).writeMoons,$&");
  },
  asked: [],
};

const blockFormat: Recipe = {
  async begin(copy) {
    await copy.write(
      'src/parts/export/blocked/moon-list.ts',
      `import { writeStoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import type { BlockList } from './block-list.ts';

/** A moon before each entry. */
export function* writeMoonList({ blocked }: BlockList): Generator<string> {
  for (const { entry } of blocked) yield \`moon \${writeStoredEntry(entry)}\\n\`;
}
`,
    );
    const registry = 'src/parts/export/blocked/block-format.ts';
    await copy.replace(registry, /'plain',\n\]/, "'plain',\n  'moon',\n]");
    await copy.replace(registry, /\n\};/, "\n  moon: async () => (await import('./moon-list.ts')).writeMoonList,$&");
  },
  asked: [],
};

const listFormat: Recipe = {
  async begin(copy) {
    await copy.write(
      'src/network/lists/formats/moon.ts',
      `import { eachLine, type ListFormat, listedEntry } from './list-format.ts';

/** A moon before each entry. */
export const moonFormat: ListFormat = {
  name: 'moon',
  isLenient: false,
  read: eachLine(() => (line, number) => {
    const [, value] = /^moon (.+)/.exec(line) ?? [];
    return value === undefined ? [] : [listedEntry(value, number)];
  }),
};
`,
    );
    await copy.replace('src/network/lists/settings.ts', /'plain'/, "'moon', $&");
    const registry = 'src/network/lists/formats/detect-format.ts';
    await copy.replace(registry, /^import .*plainFormat.*$/m, "import { moonFormat } from './moon.ts';\n$&");
    await copy.replace(registry, /const OF_LINES = \[plainFormat/, '$&, moonFormat');
    await copy.replace(registry, /plain: plainFormat/, '$&, moon: moonFormat');
  },
  asked: [],
};

const member: Recipe = {
  async begin(copy) {
    await copy.replace(
      'src/checks/record/check-result.ts',
      / {4}final_url: boundedTextOrNull\('Where/,
      "    moon_phase: Type.Integer({ description: 'Phase of the moon during the check' }),\n$&",
    );
  },
  asked: [
    ...['src/checks/record/describe-check.ts', 'src/service/server/docs/examples.ts'],
    ...['test/interfaces/ui/sample-result.ts', 'test/support/sample-record.ts'],
  ],
};

const problem: Recipe = {
  async begin(copy) {
    await copy.replace(
      'src/service/server/http/problem-kinds.ts',
      / {2}internal: \{/,
      "  new_moon: { status: 404, meaning: 'There is no moon.' },\n$&",
    );
  },
  asked: ['src/service/server/http/refusals.ts', 'test/service/server/problems.test.ts'],
};

const route: Recipe = {
  async begin(copy) {
    await copy.write(
      'src/service/server/moon/moon-route.ts',
      `import { Type } from '@sinclair/typebox';
import { answer } from '../http/answer.ts';
import { refusals } from '../http/refusals.ts';
import { ownHost, type SiteParts } from '../http/request-site.ts';
import { routesWith } from '../http/routes-with.ts';

/** The moon. */
export const MoonSchema = Type.Object(
  { phase: Type.Integer({ description: 'Its phase' }) },
  { $id: 'Moon', description: 'The moon' },
);

/** What the route of the moon works with. */
interface MoonRouteParts extends Pick<SiteParts, 'isOwnHost'> {
  readonly moonPhase: () => number;
}

/** \`GET /api/moon\`: the phase of the moon. */
export const moonRoute = routesWith<MoonRouteParts>()
  .onTransform(ownHost)
  .get('/api/moon', ({ service }) => ({ phase: service.moonPhase() }), {
    response: {
      200: answer(MoonSchema, { description: 'The moon.', example: { phase: 4 } }),
      ...refusals('invalid_parameter', 'misdirected', 'internal'),
    },
    detail: { operationId: 'readMoon', tags: ['Health'], summary: 'Which moon is it?', description: 'Its phase.' },
  });
`,
    );
    await copy.write(
      'test/service/server/moon.test.ts',
      `import { expect, test } from 'bun:test';
import { startServer } from './running-server.ts';

test('the moon is told', async () => {
  await using server = startServer();
  const response = await fetch(\`\${server.url}/api/moon\`);
  expect([response.status, await response.json()]).toEqual([200, { phase: 7 }]);
});
`,
    );
    const routes = 'src/service/server/routes.ts';
    await copy.replace(routes, /^import .*page-routes.*$/m, "import { moonRoute } from './moon/moon-route.ts';\n$&");
    await copy.replace(routes, /\n {2}\.use\(healthRoutes\)/, '$&\n  .use(moonRoute)');
  },
  asked: ['src/app/serving.ts', 'test/service/server/running-server.ts'],
  async finish(copy) {
    await copy.replace('src/app/serving.ts', / {6}hasNoKeys: .*,/, '$&\n      moonPhase: () => 7,');
    await copy.replace('test/service/server/running-server.ts', / {4}operations: async/, '    moonPhase: () => 7,\n$&');
    const openapi = 'test/service/server/openapi.test.ts';
    const schema = "import { MoonSchema } from '#src/service/server/moon/moon-route.ts';\n";
    await copy.replace(openapi, /import \{ startServer/, `${schema}$&`);
    await copy.replace(openapi, /\n {2}About: /, '\n  Moon: MoonSchema,$&');
    await copy.replace(openapi, /\.\.\.\['readAbout',/, "...['readMoon'],\n      $&");
    const answers = 'test/service/server/answers.test.ts';
    await copy.replace(answers, / {2}'GET \/api\/about': null,/, "$&\n  'GET /api/moon': null,");
    await copy.run('test', '--update-snapshots', `./${answers}`);
  },
};

const fact: Recipe = {
  async begin(copy) {
    await copy.editJson('src/core/knowledge/hosts/shorteners.json', (table) => {
      (table as unknown as { entries: string[] }).entries.push('moon-short.example');
    });
  },
  asked: [],
};

/** The recipes that are carried out to their end. */
export const RECIPES = {
  ...{ signal, analyzer, setting, command, act, part, language, exportFormat, blockFormat, listFormat, route, fact },
} as const satisfies Readonly<Record<string, Recipe>>;

/** Recipes that are begun, to see what the compiler asks for, and undone. */
export const BEGUN = { member, problem } as const satisfies Readonly<Record<string, Recipe>>;
