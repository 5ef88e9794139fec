import { afterAll, expect, test } from 'bun:test';
import { COMPONENTS } from '#src/engine/analyzers/index.ts';
import type { Recipe } from './recipe.ts';
import { BEGUN, RECIPES } from './recipes.ts';
import { copyTree } from './tree-copy.ts';

// All recipes are carried out in one copy, step by step, so that the compiler runs once per step.
const copy = await copyTree();
afterAll(() => copy[Symbol.asyncDispose]());

const recipes: readonly Recipe[] = Object.values(RECIPES);
const OFFLINE = ['--network', 'none', '--format', 'json'];
const DATA = ['--data-dir', `${copy.path}/data`];
const lurecheck = (...args: string[]) => copy.run('src/main.ts', ...args);

/** The files of which the compiler complains, for the program and for the page. */
async function complaints(): Promise<string[]> {
  const program = ['--incremental', '--tsBuildInfoFile', 'types.tsbuildinfo'];
  // Several checkers at once repeat each other's work.
  const outputs = await Promise.all(
    [program, ['-p', 'src/interfaces/ui']].map((args) =>
      copy.run('x', 'tsc', '--noEmit', '--checkers', '1', '--pretty', 'false', ...args),
    ),
  );
  const files = outputs.flatMap(({ stdout }) =>
    [...stdout.matchAll(/^([^\s(]+)\(\d+,\d+\): /gm)].map(([, file]) => file ?? ''),
  );
  return [...new Set(files)].toSorted();
}

/** Returns the files of tests. */
const filesOf = (tests: readonly string[]) => tests.map((path) => `./test/${path}.test.ts`);

/** What a check says of a URL. */
async function reasonsOf(url: string, ...args: string[]) {
  const { stdout, stderr } = await lurecheck('check', ...OFFLINE, ...args, url);
  expect(stderr).toBe('');
  return JSON.parse(stdout).analysis_details;
}

test('the compiler reports the files that a recipe leaves open, and no others', async () => {
  for (const recipe of recipes) await recipe.begin(copy);
  const undo = copy.mark();
  const begun: readonly Recipe[] = Object.values(BEGUN);
  for (const recipe of begun) await recipe.begin(copy);
  const asked = await complaints();
  await undo();
  expect(asked).toEqual([...recipes, ...begun].flatMap((recipe) => recipe.asked).toSorted());
});

test('the program refuses to start without the weight of a reason', async () => {
  const refused = await lurecheck('check', ...OFFLINE, 'http://wax.moon.example/');
  expect(refused).toMatchObject({ stdout: '', exitCode: 1 });
  expect(refused.stderr).toContain('moon.in_host');
  expect(refused.stderr).toContain('src/engine/models/fusion.json');
});

test('with the weight, types, lint, architecture and the tests that the recipes name pass', async () => {
  for (const recipe of recipes) await recipe.finish?.(copy);
  expect(await complaints()).toEqual([]);
  expect((await copy.run('.ci/readme.ts')).exitCode).toBe(0);
  const linted = [...copy.changed].filter((path) => path.endsWith('.ts'));
  const lint = await copy.run(
    'x',
    'biome',
    'check',
    '--write',
    '--error-on-warnings',
    '--vcs-enabled=false',
    ...linted,
  );
  expect(lint.exitCode, lint.stderr).toBe(0);
  const named = [
    ...['architecture', 'readme', 'interfaces/ui/languages', 'engine/analyzers/page/signals', 'parts/lists/moon-acts'],
    'app/condition-codes',
    'parts/tide/tide',
    ...['moon', 'page-files', 'late-routes'].map((name) => `service/server/${name}`),
  ];
  const snapshots = ['openapi', 'recorded-document', 'answers'].map((name) => `service/server/${name}`);
  for (const tests of [['--update-snapshots', ...filesOf(snapshots)], filesOf(named)]) {
    const { stderr, exitCode } = await copy.run('test', ...tests);
    expect([exitCode, stderr.match(/^\(fail\).*/gm)]).toEqual([0, null]);
  }
});

test('a new signal gives a reason for a saved page', async () => {
  await copy.write('page.html', '<p>A full moon');
  const { reasons } = await reasonsOf('http://a.example/', '--html', `${copy.path}/page.html`);
  expect(reasons).toContainEqual(
    expect.objectContaining({ code: 'page.moon', message: 'The page tells of the moon.' }),
  );
});

test('a new analyzer has a score, and its component is in the API description', async () => {
  const { individual_scores, reasons } = await reasonsOf('http://wax.moon.example/');
  expect(individual_scores.moon).toBeCloseTo(1 / (1 + Math.exp(-1.5)), 12);
  expect(reasons).toContainEqual({
    component: 'moon',
    code: 'moon.in_host',
    message: 'The moon is up over wax.moon.example.',
    args: { host: 'wax.moon.example' },
    weight: 1.5,
  });
  const document = (await lurecheck('openapi')).stdout;
  expect(document).toMatch(/"individual_scores":\s*\{[^}]*"moon":\s*null/);
  expect(document.match(new RegExp(`"${COMPONENTS.at(-1)}",\\s*"moon"`, 'g'))).toHaveLength(2);
  expect(document).toContain('"/api/moon"');
});

test('a new setting has a flag, and a row in the reference', async () => {
  const { stdout } = await lurecheck('config', 'show', '--moon-phase', '7');
  expect(stdout).toMatch(/^moon_phase\b.*\b7\b/m);
  expect(await copy.read('src/service/manual/reference.md')).toContain('| `moon_phase` | `4` |');
});

test('a new part has a setting, and its route is in the API description', async () => {
  const document = (await lurecheck('openapi')).stdout;
  expect(document).toContain('"/api/tide"');
  expect((await lurecheck('config', 'show', '--tide')).stdout).toMatch(/^tide\b.*\btrue\b/m);
});

test('a new command runs, and is in the help', async () => {
  expect(await lurecheck('moon')).toMatchObject({ stdout: 'moon\n', exitCode: 0 });
  expect((await lurecheck('help', '--all')).stdout).toMatch(/^ +moon +Print the moon/im);
});

test('new export, list and block formats are accepted by log export, lists import and lists export', async () => {
  await lurecheck('check', ...OFFLINE, '--record', 'public', ...DATA, 'https://example.com/');
  expect((await lurecheck('log', 'export', '--format', 'moon', ...DATA)).stdout).toBe('moon allow\n');
  await copy.write('feed.txt', 'moon evil.example\n');
  const imported = await lurecheck('lists', 'import', 'feed', `${copy.path}/feed.txt`, '--yes', ...DATA);
  expect(imported).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 entry') });
  expect((await lurecheck('lists', 'export', '--format', 'moon', ...DATA)).stdout).toBe('moon evil.example\n');
});

test('a new fact changes the result of a check', async () => {
  const codesOf = async (url: string) => (await reasonsOf(url)).reasons.map(({ code }: { code: string }) => code);
  expect(await codesOf('http://moon-short.example/x')).toContain('redirects.end_unseen');
  expect(await codesOf('http://sun-short.example/x')).not.toContain('redirects.end_unseen');
});
