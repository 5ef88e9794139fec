import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Glob } from 'bun';
import { mapTests, OF_THE_TREE } from './mutation/room-tests.ts';

const ROOT = join(import.meta.dir, '..');
const bun = process.execPath;
const { values } = parseArgs({ options: { since: { type: 'string', default: 'main' } }, strict: true });

/** Files that lint knows. */
const LINTED = /\.(?:ts|json|css|html)$/;

if (import.meta.main) {
  const changed = changedSince(values.since);
  const tests = await testsOf(changed);
  const linted = changed.filter((path) => LINTED.test(path) && existsSync(join(ROOT, path)));
  process.stdout.write(`${changed.length} files changed since ${values.since}, ${tests.length} test files load them\n`);
  const cache = 'node_modules/.cache/check';
  const types = (name: string, args: readonly string[]) =>
    [name, ['x', 'tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', `${cache}/${name}`, ...args]] as const;
  const steps = [
    types('types', []),
    ...(changed.some((path) => path.startsWith('src/interfaces/ui/'))
      ? [types('page', ['-p', 'src/interfaces/ui'])]
      : []),
    ...(linted.length > 0 ? [['lint', ['x', 'biome', 'check', '--error-on-warnings', ...linted]] as const] : []),
    ['tests', ['test', ...[...OF_THE_TREE, ...tests].map((path) => `./${path}`)]] as const,
  ];
  const failed = steps.filter(([name, args]) => {
    const { exitCode } = Bun.spawnSync([bun, ...args], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
    process.stdout.write(`${name}: ${exitCode === 0 ? 'passed' : 'FAILED'}\n`);
    return exitCode !== 0;
  });
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** Paths of the files that differ from where this branch left another one, those outside version control included. */
function changedSince(ref: string): string[] {
  const git = (...args: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(['git', ...args], { cwd: ROOT });
    if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.toString().trim()}`);
    return stdout.toString().split('\n').filter(Boolean);
  };
  const [base = ref] = git('merge-base', ref, 'HEAD');
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/** The test files that load a changed file: see `mapTests`. Whoever names a file that is no module counts as changed with it. */
export async function testsOf(changed: readonly string[]): Promise<string[]> {
  const others = changed.filter((path) => !path.endsWith('.ts')).map((path) => basename(path));
  const modules = new Set(changed.filter((path) => path.endsWith('.ts')));
  for await (const path of new Glob('{src,test,.ci}/**/*.ts').scan({ cwd: ROOT, dot: true })) {
    if (others.length === 0) break;
    const text = await Bun.file(join(ROOT, path)).text();
    if (others.some((name) => text.includes(name))) modules.add(path);
  }
  const testsFor = await mapTests(ROOT);
  const tests = new Set<string>();
  for (const path of modules) {
    if (/^test\/(?!e2e|system).*\.test\.ts$/.test(path)) tests.add(path);
    const { own, room, others } = testsFor(path);
    for (const test of [...own, ...room, ...others]) tests.add(test);
  }
  return [...tests].filter((path) => !OF_THE_TREE.includes(path) && existsSync(join(ROOT, path))).toSorted();
}
