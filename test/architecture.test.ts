import { expect, test } from 'bun:test';
import { Glob } from 'bun';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { ARROWS } from './support/arrows.ts';
import { FOLDERS, folderOf, ROOMS, roomOf } from './support/layers.ts';
import { type Import, readSources, type SourceFile } from './support/source-files.ts';
import { wordListsIn } from './support/word-lists.ts';

/** The rooms that may import a package: one, but for the language of schemas, in which shapes are told from room to room. */
const PACKAGE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  '@sinclair/typebox': ['core', 'engine', 'checks', 'admin', 'service', 'interfaces', 'parts', 'training'],
  elysia: ['service/server', 'app'],
  '@elysiajs/swagger': ['service/server'],
  'swagger-ui-dist': ['service/server'],
  negotiator: ['service/server'],
  'prom-client': ['app', 'parts'],
  'drizzle-orm': ['checks/store', 'parts/postgres', 'parts/fleet/shared', 'parts/host/upgrade'],
  'drizzle-kit': [],
  'bun:sqlite': ['checks/store', 'parts/postgres', 'parts/host/upgrade'],
  htmlparser2: ['network/html'],
  'hyparquet-writer': ['parts/export'],
  'postal-mime': ['engine/message'],
  qr: ['app', 'interfaces/ui'],
  'tar-stream': ['parts/backup/archive', 'parts/host/upgrade'],
  tldts: ['core/url'],
  'csv-parse': ['network/lists'],
  '@streamparser/json': ['network/lists'],
  'toml-eslint-parser': ['core/base'],
  'xz-decompress': ['parts/host/upgrade'],
};

const SOCKETS = /^node:(net|tls|dns|dgram|https?|http2)(\/|$)|^(undici|ws)$/;
const SOCKET_CALLS = /(?<![\w.])fetch\(|\bBun\.(connect|listen|udpSocket|dns)\b|\bnew (WebSocket|EventSource)\b/;
const ENVIRONMENT = /\bprocess\.env\b|\bBun\.env\b|\bimport\.meta\.env\b/;

const sources = await readSources();

/** Path below `src` of what is imported; null for a package. */
function pathOf(file: SourceFile, specifier: string): string | null {
  if (specifier.startsWith('#src/')) return specifier.slice('#src/'.length);
  if (!specifier.startsWith('.')) return null;
  return new URL(specifier, `file:///src/${file.path}`).pathname.replace(/^\/src\//, '');
}

/** The only files of the core that name parts. */
const LISTS_OF_PARTS = ['app/parts.ts', 'app/parts/part-basis.ts', 'interfaces/ui/shell/load-view.ts'];

/** Returns true if a path is that of a file, or in a folder. */
const isWithin = (path: string, place: string) => path === place || path.startsWith(`${place}/`);
const isOfPart = (path: string) => folderOf(path) === 'parts';
const isArrow = ({ path }: SourceFile, specifier: string) => ARROWS.includes(`${path} imports ${specifier}`);

function mayImport(file: SourceFile, { specifier, isType, isDynamic }: Import): boolean {
  const path = pathOf(file, specifier);
  if (path === null) return true;
  const room = roomOf(file.path);
  // Above all rooms stands the entry point, which starts the command line.
  if (room === '') return file.path === 'main.ts' && roomOf(path) === 'interfaces/cli';
  if (isWithin(path, room)) return true;
  // Outside the rooms are the manifest, for the version, the SQL that makes the logs, and what the build writes.
  if (path.startsWith('/'))
    return path === '/package.json'
      ? room === 'core/base'
      : ['checks', 'interfaces', 'admin', 'parts'].includes(folderOf(file.path));
  // A test of its own says who loads the training code.
  if (folderOf(path) === 'training') return isDynamic;
  if (isOfPart(path) && !isOfPart(file.path)) return LISTS_OF_PARTS.includes(file.path) || isArrow(file, specifier);
  const rule = ROOMS[room];
  const allowed = [...(rule?.values ?? []), ...(isType ? (rule?.types ?? []) : [])];
  return allowed.some((place) => isWithin(path, place));
}

const violations = (breaks: (file: SourceFile, one: Import) => boolean) =>
  sources.flatMap((file) =>
    file.imports.filter((one) => breaks(file, one)).map(({ specifier }) => `${file.path} imports ${specifier}`),
  );

test('the sources are read: every room of the table has files and imports are found', () => {
  const rooms = new Set(sources.map(({ path }) => roomOf(path)));
  // The models are files of other kinds.
  expect(Object.keys(ROOMS).filter((room) => room !== 'engine/models' && !rooms.has(room))).toEqual([]);
  expect([...rooms].filter((room) => room !== '' && !Object.hasOwn(ROOMS, room))).toEqual([]);
  expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(sources.length);
});

test('a room imports only what the table allows', () => {
  expect(violations((file, one) => !mayImport(file, one))).toEqual([]);
});

test('the core imports no part, but for a list that only shrinks', () => {
  const arrows = violations((file, { specifier }) => {
    const path = pathOf(file, specifier);
    return path !== null && isOfPart(path) && !isOfPart(file.path) && !LISTS_OF_PARTS.includes(file.path);
  });
  expect([...new Set(arrows)].toSorted()).toEqual(ARROWS.toSorted());
});

test('a folder imports only from those below it', () => {
  const order = Object.keys(FOLDERS);
  const isAbove = (folder: string, other: string) => order.indexOf(other) > order.indexOf(folder);
  expect(
    violations(({ path: from }, { specifier, isDynamic }) => {
      const to = pathOf({ path: from, text: '', imports: [] }, specifier);
      if (to === null || to.startsWith('/') || from === 'main.ts' || isOfPart(to)) return false;
      return isAbove(folderOf(from), folderOf(to)) && !(isDynamic && folderOf(to) === 'training');
    }),
  ).toEqual([]);
});

test('no rooms import each other in a cycle', () => {
  const next = new Map<string, Set<string>>();
  for (const file of sources) {
    for (const { specifier } of file.imports) {
      const path = pathOf(file, specifier);
      // Only the list of the parts leads from the core to them.
      if (path !== null && !path.startsWith('/') && (isOfPart(file.path) || !isOfPart(path)))
        next.getOrInsertComputed(roomOf(file.path), () => new Set()).add(roomOf(path));
    }
  }
  const done = new Set<string>();
  const visit = (room: string, way: readonly string[]): string[] => {
    if (way.includes(room)) return [[...way.slice(way.indexOf(room)), room].join(' → ')];
    if (done.has(room)) return [];
    const found = [...(next.get(room) ?? [])]
      .filter((other) => other !== room)
      .flatMap((other) => visit(other, [...way, room]));
    done.add(room);
    return found;
  };
  expect([...next.keys()].flatMap((room) => visit(room, []))).toEqual([]);
});

/** Files of one folder that a reader can take in at once. */
const MOST_FILES = 30;

test('no folder contains more than 30 files', async () => {
  const folders = new Map<string, number>();
  for await (const path of new Glob('**/*').scan('src')) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  expect([...folders].filter(([, count]) => count > MOST_FILES)).toEqual([]);
});

/** Files of one part. */
const MOST_FILES_OF_PART = 25;

test('no part has more than 25 files', () => {
  const byPart = Map.groupBy(
    sources.filter(({ path }) => isOfPart(path)),
    ({ path }) => path.split('/')[1] ?? '',
  );
  byPart.delete('define-part.ts');
  const tooLarge = [...byPart].filter(([, { length }]) => length > MOST_FILES_OF_PART);
  expect(tooLarge.map(([part, { length }]) => `${part}: ${length}`)).toEqual([]);
});

test('imports across rooms use #src, imports within a room a relative path, and both name the file', () => {
  expect(
    violations((file, { specifier }) => {
      const path = pathOf(file, specifier);
      if (path === null || path.startsWith('/') || !path.endsWith('.ts')) return path !== null && !/\.\w+$/.test(path);
      const isWithin = roomOf(path) === roomOf(file.path);
      return isWithin === specifier.startsWith('#src/') && roomOf(file.path) !== '';
    }),
  ).toEqual([]);
});

test('only the egress room opens sockets and resolves names, except where no check is involved', () => {
  const mayDial = (path: string) =>
    /^(network\/egress|interfaces\/ui)\//.test(path) ||
    [
      'parts/host/installation/readiness.ts',
      'interfaces/cli/remote/ask-service.ts',
      'app/control/ask-control.ts',
      'app/doctor/ask-listener.ts',
      'parts/proxy/examine-gate.ts',
      'parts/fleet/examine-databases.ts',
      'parts/proxy/icap-listeners.ts',
      'app/listen/inherited-sockets.ts',
      'app/listen/peer-listeners.ts',
      'app/listen/socket-file.ts',
      'parts/mail/open-milter.ts',
      'parts/feeds/zone/open-zone.ts',
      'parts/feeds/zone/udp-socket.ts',
      'parts/browser/cdp/socket-transport.ts',
      'parts/tuning/look/serve-saved-page.ts',
      'parts/monitoring/notifications/webhook.ts',
      'parts/monitoring/syslog/transport.ts',
    ].includes(path);
  expect(violations(({ path }, { specifier }) => SOCKETS.test(specifier) && !mayDial(path))).toEqual([]);
  expect(sources.filter(({ path, text }) => SOCKET_CALLS.test(text) && !mayDial(path)).map(({ path }) => path)).toEqual(
    [],
  );
});

test('Redis and PostgreSQL are accessed in one place each', () => {
  const engines = sources
    .filter(({ text }) => /\bRedisClient\b|\bnew SQL\(|\bBun\.(?:sql|SQL)\b/.test(text))
    .map(({ path }) => path);
  expect(engines.toSorted()).toEqual(['parts/fleet/limiter/redis-link.ts', 'parts/postgres/session/session.ts']);
  // Who keeps the logs in files does not load what a database needs.
  const isOfDatabase = ({ specifier, isType, isDynamic }: Import) =>
    /drizzle-orm\/(bun-sql|pg-core)$|\/postgres\/(?!part\.ts)/.test(specifier) && !isType && !isDynamic;
  expect(violations(({ path }, one) => isOfDatabase(one) && !/^parts\/(postgres|fleet\/shared)\//.test(path))).toEqual(
    [],
  );
});

test('native code is called in one place', () => {
  const isForeign = ({ specifier }: Import) => specifier === 'bun:ffi' || specifier.endsWith('.node');
  const files = sources.filter(({ imports }) => imports.some(isForeign));
  expect(files.map(({ path }) => path)).toEqual(['core/base/c-library.ts']);
});

test('the environment is read in one place, and before it is loaded for options of the runtime', () => {
  const readers = sources.filter(({ text }) => ENVIRONMENT.test(text)).map(({ path }) => path);
  expect(readers.toSorted()).toEqual(['app/config.ts', 'interfaces/cli/runtime-options.ts']);
});

test('every package that ships has an owner', async () => {
  const { dependencies }: { dependencies: Record<string, string> } = await Bun.file('package.json').json();
  expect(Object.keys(dependencies).filter((name) => !Object.hasOwn(PACKAGE_OWNERS, name))).toEqual([]);
});

test('a package is imported only by its owner', () => {
  const ownerless = (path: string, specifier: string) => {
    const name = Object.keys(PACKAGE_OWNERS).find((one) => specifier === one || specifier.startsWith(`${one}/`));
    const owners = name === undefined ? null : PACKAGE_OWNERS[name];
    return owners?.includes(roomOf(path)) === false && !owners.includes(folderOf(path));
  };
  expect(violations(({ path }, { specifier }) => ownerless(path, specifier))).toEqual([]);
});

test('the training code is loaded only by its commands, and only when they run', () => {
  const isOfCommand = ({ path }: SourceFile) =>
    path === 'parts/tuning/command/train.ts' || path === 'parts/tuning/command/evaluate.ts';
  expect(
    violations(
      (file, { specifier, isDynamic }) =>
        specifier.startsWith('#src/training/') && roomOf(file.path) !== 'training' && !(isDynamic && isOfCommand(file)),
    ),
  ).toEqual([]);
});

/** Files and packages that are loaded with some files: everything but what a function imports when it runs, and macros. */
function loadedWith(...starts: readonly string[]) {
  const paths = new Set(starts);
  const packages = new Set<string>();
  for (const path of paths) {
    for (const file of sources.filter((one) => one.path === path)) {
      for (const { specifier } of file.imports.filter(
        ({ isType, isMacro, isDynamic }) => !isType && !isMacro && !isDynamic,
      )) {
        const next = pathOf(file, specifier);
        if (next === null) packages.add(specifier);
        else paths.add(next);
      }
    }
  }
  return { paths: [...paths].filter((path) => path.endsWith('.ts')), packages: [...packages] };
}

test('a check that is not logged loads neither the logs nor the server', () => {
  const { packages } = loadedWith('main.ts', 'interfaces/cli/commands/check.ts');
  expect(packages).toContain('tldts');
  expect(packages.filter((name) => /^(?:bun:sqlite|drizzle-orm|elysia)/.test(name))).toEqual([]);
});

/** Files that a start of the service loads at most, with a few that recipes add; the aim is 350, and this number only shrinks. */
const MOST_LOADED = 350;

test('a start loads no more of the parts than their settings, and few files in all', () => {
  const ofSettings = sources.map(({ path }) => path).filter((path) => /^parts\/[\w-]+\/settings\.ts$/.test(path));
  const ofArrows = ARROWS.map((arrow) => arrow.slice(arrow.indexOf('#src/') + '#src/'.length));
  const mayLoad = new Set(loadedWith(...ofSettings, ...ofArrows).paths);
  const { paths } = loadedWith('main.ts', 'interfaces/cli/commands/serve.ts');
  const isEager = (path: string) =>
    isOfPart(path) && !mayLoad.has(path) && !/^parts\/(?:[\w-]+\/part|define-part)\.ts$/.test(path);
  expect(paths.filter(isEager)).toEqual([]);
  expect(paths.length).toBeLessThanOrEqual(MOST_LOADED);
});

test('hidden characters are defined in one place', () => {
  // Controls, separators, formats and the bidirectional ones, by category or by range.
  const classes = /\\p\{(?:C[cfs]?|Z[lp]|DI|Bidi_C\w*|Default_Ign\w*)\}|\\u(?:061c|180e|20[0-6]\w)|\\(?:x|u00)[89]\w/i;
  expect(sources.filter(({ text }) => classes.test(text)).map(({ path }) => path)).toEqual([
    'core/base/text/untrusted-text.ts',
  ]);
});

test('no source contains an invisible character', () => {
  const isShown = (line: string) => visibleInTerminal(line) === line;
  expect(sources.filter(({ text }) => !text.split(/[\n\t]/).every(isShown)).map(({ path }) => path)).toEqual([]);
});

/** More words or hosts than this in a literal are a table, which has a source, a date and a licence. */
const MOST_WORDS = 15;

/** Files whose long literals are no facts about the world. */
const NO_FACTS: Readonly<Record<string, string>> = {
  'network/html/form-collector.ts': 'types of input elements: the HTML standard',
  'network/html/element-stack.ts': 'how elements are parsed: the HTML standard',
  'network/html/scripts/page-names.ts': 'names that scripts use: the HTML, DOM and ECMAScript standards',
  'parts/browser/snapshot/markup-writer.ts': 'names of attributes: the HTML standard',
  'service/manual/page.ts': 'a page',
  'service/server/docs/swagger.ts': 'a page',
  'parts/console/part.ts': 'paths of routes',
  'parts/lists/part.ts': 'paths of routes',
  'service/server/page/site-routes.ts': 'a document',
  'service/server/routes.ts': 'paths of routes',
  'interfaces/ui/installed/service-worker.ts': 'a page',
};

test('facts are in the tables of knowledge: no literal lists many words or hosts', () => {
  const found = sources.flatMap(({ path, text }) => wordListsIn(text, MOST_WORDS).map((list) => ({ path, ...list })));
  expect(found.filter(({ path }) => !Object.hasOwn(NO_FACTS, path))).toEqual([]);
  // What no longer needs its exception loses it.
  expect(Object.keys(NO_FACTS).toSorted()).toEqual([...new Set(found.map(({ path }) => path))].toSorted());
});

test('detects a word list in any notation, and ignores a sentence', () => {
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

test('an exported name is unique in src', () => {
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

/** Where each file is one of several of its kind: commands, tables of facts, formats, types of what is no TypeScript. */
const ENTRIES =
  /^interfaces\/cli\/commands\/|^core\/knowledge\/|^interfaces\/ui\/(?:installed|languages)\/|^parts\/export\/|^network\/lists\/formats\/|\bworker\.ts$|\.d\.ts$|^main\.ts$|^parts\/\w+\/(?:part|settings)\.ts$/;

test('a small file has several users, or is an entry point', async () => {
  const users = new Map<string, Set<string>>();
  const use = (used: string | null, user: string) => used !== null && users.getOrInsert(used, new Set()).add(user);
  for (const file of sources) for (const { specifier } of file.imports) use(pathOf(file, specifier), file.path);
  for await (const path of new Glob('{test,.ci}/**/*.ts').scan({ dot: true })) {
    for (const [, used = ''] of (await Bun.file(path).text()).matchAll(/'#src\/([^']+)'/g)) use(used, path);
  }
  const isFragment = ({ path, text }: SourceFile) =>
    text.split('\n').length <= FEWEST_LINES && (users.get(path)?.size ?? 0) < 2 && !ENTRIES.test(path);
  expect(sources.filter(isFragment).map(({ path }) => path)).toEqual([]);
});

/** A number of at least a second as the last argument of a call, as the formatter writes it, or the default set anew. */
const OWN_TIMEOUT =
  /^ *\},(?: |\n *)(?:\d[\d_]{3,}|[A-Z_]*(?:TIMEOUT|PATIENCE|HANG)[A-Z_]*)(?:,?\n *)?\);$|setDefaultTimeout\(/m;

test('no test has a wall-clock limit: only the preload sets a timeout, which detects hangs', async () => {
  const limited: string[] = [];
  for await (const path of new Glob('**/*.test.ts').scan('test')) {
    if (OWN_TIMEOUT.test(await Bun.file(`test/${path}`).text())) limited.push(path);
  }
  expect(limited).toEqual([]);
  for (const ending of ['}, 60_000);', '  },\n  TIMEOUT_MS,\n);'])
    expect(`test(x, () => {\n${ending}`).toMatch(OWN_TIMEOUT);
});
