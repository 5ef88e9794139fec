import { expect, test } from 'bun:test';
import { Glob } from 'bun';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { type Import, readSources, type SourceFile } from './support/source-files.ts';
import { wordListsIn } from './support/word-lists.ts';

/**
 * Who may import whom (README, architecture). `types` are rooms of which only types may be imported. A room may always
 * import itself; what is not in the table may import nothing.
 */
const ROOMS: Readonly<Record<string, { values?: readonly string[]; types?: readonly string[] }>> = {
  base: {},
  url: { values: ['base'] },
  knowledge: { values: ['base', 'url'] },
  egress: { values: ['base', 'url', 'knowledge'] },
  html: { values: ['base', 'url', 'knowledge'] },
  certificate: { values: ['base'] },
  registry: { values: ['base', 'url', 'knowledge'] },
  unwrap: { values: ['base', 'url', 'knowledge'] },
  lexical: { values: ['base', 'url', 'knowledge'] },
  lists: { values: ['base', 'url', 'knowledge'] },
  packs: { values: ['base'] },
  probes: { values: ['base', 'url', 'egress', 'html', 'certificate', 'registry', 'lists'] },
  analyzers: {
    values: ['base', 'url', 'knowledge', 'html', 'lexical', 'certificate'],
    types: ['registry', 'lists', 'probes'],
  },
  fusion: { values: ['base'], types: ['analyzers'] },
  campaigns: { values: ['base', 'url', 'knowledge'], types: ['probes'] },
  assess: {
    values: ['base', 'url', 'knowledge', 'html', 'unwrap', 'lexical', 'lists', 'analyzers', 'fusion'],
    types: ['probes'],
  },
  pages: { values: ['base', 'url', 'knowledge', 'html', 'analyzers'], types: ['probes'] },
  record: {
    values: ['base', 'url', 'knowledge', 'engine/analyzers/index.ts'],
    types: ['certificate', 'registry', 'probes', 'lexical', 'analyzers', 'fusion'],
  },
  store: { values: ['base', 'url', 'record'], types: ['fusion'] },
  check: { values: ['base', 'url', 'egress', 'probes', 'assess', 'record', 'store'], types: ['fusion'] },
  syslog: { values: ['base'] },
  manual: { values: ['base'] },
  train: {
    values: [
      'base',
      'url',
      'knowledge',
      'html',
      'lexical',
      'analyzers',
      'fusion',
      'assess',
      'campaigns',
      'record',
      // What a check observes that looks at nothing, and at a saved page.
      'network/probes/observations.ts',
      'network/probes/page-visit.ts',
      // The URLs of which each model says what it saw.
      'engine/models/golden.tsv',
    ],
    types: ['probes'],
  },
  message: {
    values: [
      'core/base/text/untrusted-text.ts',
      'core/url/defang.ts',
      'core/url/marks.ts',
      'core/url/read-url.ts',
      'core/knowledge/hosts/link-protectors.ts',
      'html',
    ],
  },
  ui: {
    values: [
      'core/base/text/untrusted-text.ts',
      'core/base/log-odds.ts',
      'checks/record/reasons/display-order.ts',
      'checks/record/reasons/caution.ts',
      'checks/record/without-password.ts',
      'core/url/defang.ts',
      'message',
    ],
    types: ['record', 'fusion'],
  },
  server: { values: ['base', 'url', 'record', 'store', 'check', 'manual'] },
  metrics: {
    values: ['base', 'network/probes/observations.ts'],
    types: ['probes', 'lists', 'record', 'store', 'check', 'server', 'syslog'],
  },
  export: { values: ['base', 'url', 'lists', 'record'], types: ['store'] },
  models: {},
  program: {
    values:
      'base url knowledge egress html certificate registry lexical lists packs probes analyzers fusion assess campaigns pages record store check models server metrics syslog'.split(
        ' ',
      ),
  },
  cli: {
    values:
      'base url html message certificate probes analyzers fusion lists packs record store export train manual server program'.split(
        ' ',
      ),
  },
};

/** The rooms that may import a package: one, but for the language of schemas, in which shapes are told from room to room. */
const PACKAGE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  '@sinclair/typebox': ['base', 'analyzers', 'fusion', 'record', 'train', 'server', 'store', 'packs', 'cli'],
  elysia: ['server'],
  '@elysiajs/swagger': ['server'],
  'swagger-ui-dist': ['server'],
  negotiator: ['server'],
  'prom-client': ['metrics'],
  'drizzle-orm': ['store'],
  'drizzle-kit': [],
  'bun:sqlite': ['store'],
  htmlparser2: ['html'],
  'hyparquet-writer': ['export'],
  'postal-mime': ['message'],
  qr: ['ui'],
  'tar-stream': ['store', 'cli'],
  tlds: ['message'],
  tldts: ['url'],
  'toml-eslint-parser': ['base'],
  'xz-decompress': ['cli'],
};

const SOCKETS = /^node:(net|tls|dns|dgram|https?|http2)(\/|$)|^(undici|ws)$/;
const SOCKET_CALLS = /(?<![\w.])fetch\(|\bBun\.(connect|listen|udpSocket|dns)\b|\bnew (WebSocket|EventSource)\b/;
const ENVIRONMENT = /\bprocess\.env\b|\bBun\.env\b|\bimport\.meta\.env\b/;

const sources = await readSources();
const roomOf = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');

/** Path below `src` of what is imported; null for a package. */
function pathOf(file: SourceFile, specifier: string): string | null {
  if (specifier.startsWith('#src/')) return specifier.slice('#src/'.length);
  if (!specifier.startsWith('.')) return null;
  return new URL(specifier, `file:///src/${file.path}`).pathname.replace(/^\/src\//, '');
}

function mayImport(file: SourceFile, { specifier, isType }: Import): boolean {
  const path = pathOf(file, specifier);
  if (path === null) return true;
  const room = roomOf(file.path);
  // Above all rooms stands the entry point, which starts the command line.
  if (room === '') return file.path === 'main.ts' && roomOf(path) === 'cli';
  if (roomOf(path) === room) return true;
  // Outside the rooms stand the manifest, for the version, the SQL that makes the logs, and what the build writes in.
  if (path.startsWith('/')) return path === '/package.json' ? room === 'base' : ['store', 'cli'].includes(room);
  const rule = ROOMS[room];
  const allowed = [...(rule?.values ?? []), ...(isType ? (rule?.types ?? []) : [])];
  return allowed.includes(roomOf(path)) || allowed.includes(path);
}

const violations = (breaks: (file: SourceFile, one: Import) => boolean) =>
  sources.flatMap((file) =>
    file.imports.filter((one) => breaks(file, one)).map(({ specifier }) => `${file.path} imports ${specifier}`),
  );

test('the sources are read: every room of the table has files and imports are found', () => {
  const rooms = new Set(sources.map(({ path }) => roomOf(path)));
  // What training made is files of other kinds.
  expect(Object.keys(ROOMS).filter((room) => room !== 'models' && !rooms.has(room))).toEqual([]);
  expect([...rooms].filter((room) => room !== '' && !Object.hasOwn(ROOMS, room))).toEqual([]);
  expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(sources.length);
});

test('a room imports only what the table allows', () => {
  expect(violations((file, one) => !mayImport(file, one))).toEqual([]);
});

test('imports across rooms go by #src, within a room by a relative path, and name the file', () => {
  expect(
    violations((file, { specifier }) => {
      const path = pathOf(file, specifier);
      if (path === null || path.startsWith('/') || !path.endsWith('.ts')) return path !== null && !/\.\w+$/.test(path);
      const isWithin = roomOf(path) === roomOf(file.path);
      return isWithin === specifier.startsWith('#src/') && roomOf(file.path) !== '';
    }),
  ).toEqual([]);
});

test('sockets and name look-ups stand in the egress room alone, but for what no check is about', () => {
  const mayDial = (path: string) =>
    /^(egress|ui)\//.test(path) ||
    [
      'admin/installation/readiness.ts',
      'interfaces/cli/remote/ask-service.ts',
      'app/control/ask-control.ts',
      'app/listen/given-sockets.ts',
      'app/listen/socket-file.ts',
      'service/syslog/transport.ts',
    ].includes(path);
  expect(violations(({ path }, { specifier }) => SOCKETS.test(specifier) && !mayDial(path))).toEqual([]);
  expect(sources.filter(({ path, text }) => SOCKET_CALLS.test(text) && !mayDial(path)).map(({ path }) => path)).toEqual(
    [],
  );
});

test('engines of other processes are spoken to in one place each', () => {
  const engines = sources
    .filter(({ text }) => /\bRedisClient\b|\bnew SQL\(|\bBun\.(?:sql|SQL)\b/.test(text))
    .map(({ path }) => path);
  expect(engines.toSorted()).toEqual(['service/server/limiter/redis-link.ts', 'checks/store/postgres/session/session.ts']);
  // Who keeps the logs in files does not load what a database needs.
  const isOfDatabase = ({ specifier, isType, isDynamic }: Import) =>
    /drizzle-orm\/(bun-sql|pg-core)$|\/postgres\/(?!database-url)/.test(specifier) && !isType && !isDynamic;
  expect(violations(({ path }, one) => isOfDatabase(one) && !path.startsWith('store/postgres/'))).toEqual([]);
});

test('code of other languages is called in one place', () => {
  const isForeign = ({ specifier }: Import) => specifier === 'bun:ffi' || specifier.endsWith('.node');
  const files = sources.filter(({ imports }) => imports.some(isForeign));
  expect(files.map(({ path }) => path)).toEqual(['core/base/c-library.ts']);
});

test('the environment is read in one place', () => {
  expect(sources.filter(({ text }) => ENVIRONMENT.test(text)).map(({ path }) => path)).toEqual(['app/config.ts']);
});

test('every package that ships has an owner', async () => {
  const { dependencies }: { dependencies: Record<string, string> } = await Bun.file('package.json').json();
  expect(Object.keys(dependencies).filter((name) => !Object.hasOwn(PACKAGE_OWNERS, name))).toEqual([]);
});

test('a package is imported by its owner alone', () => {
  const ownerless = (path: string, specifier: string) => {
    const name = Object.keys(PACKAGE_OWNERS).find((one) => specifier === one || specifier.startsWith(`${one}/`));
    return name !== undefined && !PACKAGE_OWNERS[name]?.includes(roomOf(path));
  };
  expect(violations(({ path }, { specifier }) => ownerless(path, specifier))).toEqual([]);
});

test('the training code is loaded by its commands alone, and only when they run', () => {
  const isOfCommand = ({ path }: SourceFile) => path === 'interfaces/cli/commands/train.ts' || path === 'interfaces/cli/commands/evaluate.ts';
  expect(
    violations(
      (file, { specifier, isDynamic }) =>
        specifier.startsWith('#src/train/') && roomOf(file.path) !== 'train' && !(isDynamic && isOfCommand(file)),
    ),
  ).toEqual([]);
});

test('a check that is not logged loads neither the logs nor the server', () => {
  const paths = new Set(['main.ts', 'interfaces/cli/commands/check.ts']);
  const packages = new Set<string>();
  // What is added meanwhile is come to as well.
  for (const path of paths) {
    for (const file of sources.filter((one) => one.path === path)) {
      for (const { specifier } of file.imports.filter(({ isType, isDynamic }) => !isType && !isDynamic)) {
        const next = pathOf(file, specifier);
        if (next === null) packages.add(specifier);
        else paths.add(next);
      }
    }
  }
  expect([...packages]).toContain('tldts');
  expect([...packages].filter((name) => /^(?:bun:sqlite|drizzle-orm|elysia)/.test(name))).toEqual([]);
});

test('what is hidden in a text is known in one place', () => {
  // Controls, separators, formats and the bidirectional ones, by category or by range.
  const classes = /\\p\{(?:C[cfs]?|Z[lp]|DI|Bidi_C\w*|Default_Ign\w*)\}|\\u(?:061c|180e|20[0-6]\w)|\\(?:x|u00)[89]\w/i;
  expect(sources.filter(({ text }) => classes.test(text)).map(({ path }) => path)).toEqual(['core/base/text/untrusted-text.ts']);
});

test('no source holds a character that is not shown', () => {
  const isShown = (line: string) => visibleInTerminal(line) === line;
  expect(sources.filter(({ text }) => !text.split(/[\n\t]/).every(isShown)).map(({ path }) => path)).toEqual([]);
});

/** More words or hosts than this in a literal are a table, which has a source, a date and a licence. */
const MOST_WORDS = 15;

/** Files whose long literals are no facts about the world. */
const NO_FACTS: Readonly<Record<string, string>> = {
  'network/html/form-collector.ts': 'types of input elements: the HTML standard',
  'network/html/element-traits.ts': 'how elements are parsed: the HTML standard',
  'service/manual/page.ts': 'a page',
  'service/server/docs/swagger.ts': 'a page',
  'service/server/page/opensearch-route.ts': 'a document',
  'interfaces/ui/installed/unreachable-page.ts': 'a page',
};

test('facts live in the tables of knowledge: no literal lists many words or hosts', () => {
  const found = sources
    .filter(({ path }) => !path.startsWith('ui/languages/'))
    .flatMap(({ path, text }) => wordListsIn(text, MOST_WORDS).map((list) => ({ path, ...list })));
  expect(found.filter(({ path }) => !Object.hasOwn(NO_FACTS, path))).toEqual([]);
  // What no longer needs its exception loses it.
  expect(Object.keys(NO_FACTS).toSorted()).toEqual([...new Set(found.map(({ path }) => path))].toSorted());
});

test('a list is found however it is written, and a sentence is none', () => {
  const words = 'login secure account verify update confirm wallet invoice';
  const hosts = 'a1.example b1.example c1.example d1.example e1.example f1.example g1.example h1.example';
  const quoted = `${words} ${hosts}`.split(' ').map((word) => `'${word}'`);
  const listsIn = (source: string) =>
    wordListsIn(source, MOST_WORDS).map(({ line, words: { length } }) => [line, length]);
  for (const literal of [
    `'${words} ' + // more\n '${hosts}'`,
    `[${quoted.join(',\n  ')}]`,
    `\`${words}\n  ${hosts}\`.split(/\\s+/)`,
    `/\\b(?:${`${words} ${hosts}`.replaceAll(' ', '|')})\\b/i`,
  ]) {
    expect(listsIn(`// 'a comment'\nconst LIST = ${literal};\nconst other = 'login';`)).toEqual([[2, 16]]);
  }
  for (const literal of [
    `'${words}'`,
    `'${words}', '${words}'`,
    `'${words}', /\\d/, f('${hosts}')`,
    "'The page asks for a password and presents itself as a bank, but it is not on one of the sites of this bank.'",
    `['${`${words} ${hosts}`.replaceAll(' ', "_name', '")}_name']`,
    `// ${words} ${hosts}`,
  ]) {
    expect(listsIn(`const x = ${literal};`)).toEqual([]);
  }
});

const EXPORTED = /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm;

test('an exported name means one thing in all of src', () => {
  const byName = Map.groupBy(
    sources.flatMap(({ path, text }) => [...text.matchAll(EXPORTED)].map(([, name]) => ({ name, path }))),
    ({ name }) => name,
  );
  const places = [...byName].map(([name, exported]) => [name, [...new Set(exported.map(({ path }) => path))]] as const);
  expect(places.filter(([, paths]) => paths.length > 1)).toEqual([]);
  expect(places.length).toBeGreaterThan(sources.length);
});

/** A file with fewer lines than this is a fragment of whoever uses it, if that is one file alone. */
const FEWEST_LINES = 15;

/** Where each file is one of several of its kind: commands, tables of facts, types of what is no TypeScript. */
const ENTRIES = /^cli\/commands\/|^knowledge\/|^ui\/installed\/|\.d\.ts$|^main\.ts$/;

/** Small files with one user that stand by themselves for another reason. */
const SEAMS: Readonly<Record<string, string>> = {
  'network/probes/browser.ts': 'a fact with a date, which is renewed',
};

test('a small file has several users, is one of a kind, or a seam', async () => {
  const users = new Map<string, Set<string>>();
  const use = (used: string | null, user: string) => used !== null && users.getOrInsert(used, new Set()).add(user);
  for (const file of sources) for (const { specifier } of file.imports) use(pathOf(file, specifier), file.path);
  for await (const path of new Glob('{test,.ci}/**/*.ts').scan({ dot: true })) {
    for (const [, used = ''] of (await Bun.file(path).text()).matchAll(/'#src\/([^']+)'/g)) use(used, path);
  }
  const isFragment = ({ path, text }: SourceFile) =>
    text.split('\n').length <= FEWEST_LINES && (users.get(path)?.size ?? 0) < 2 && !ENTRIES.test(path);
  expect(sources.filter(isFragment).map(({ path }) => path)).toEqual(Object.keys(SEAMS));
});

/** A number of at least a second as the last argument of a call, as the formatter writes it, or the default set anew. */
const OWN_TIMEOUT =
  /^ *\},(?: |\n *)(?:\d[\d_]{3,}|[A-Z_]*(?:TIMEOUT|PATIENCE|HANG)[A-Z_]*)(?:,?\n *)?\);$|setDefaultTimeout\(/m;

test('no test fails by the wall clock: the preload alone sets a time-out, which detects hangs', async () => {
  const limited: string[] = [];
  for await (const path of new Glob('**/*.test.ts').scan('test')) {
    if (OWN_TIMEOUT.test(await Bun.file(`test/${path}`).text())) limited.push(path);
  }
  expect(limited).toEqual([]);
  for (const ending of ['}, 60_000);', '  },\n  TIMEOUT_MS,\n);'])
    expect(`test(x, () => {\n${ending}`).toMatch(OWN_TIMEOUT);
});
