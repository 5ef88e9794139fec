import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Glob } from 'bun';
import { mapTests, OF_THE_TREE } from './mutation/room-tests.ts';

const ROOT = join(import.meta.dir, '..');
const bun = process.execPath;

/** Files that lint knows. */
const LINTED = /\.(?:ts|json|css|html)$/;

if (import.meta.main) {
  const { values } = parseArgs({ options: { since: { type: 'string', default: 'main' } }, strict: true });
  const changed = changedSince(values.since);
  const tests = await selectTests(changed);
  const linted = changed.filter((path) => LINTED.test(path) && existsSync(join(ROOT, path)));
  process.stdout.write(`${changed.length} files changed since ${values.since}, ${tests.length} test files load them\n`);
  const cache = 'node_modules/.cache/check';
  const tsc = ['x', 'tsc', '--noEmit', '--checkers', '1', '--incremental'];
  const types = (name: string, ...args: string[]) =>
    [name, [...tsc, '--tsBuildInfoFile', `${cache}/${name}`, ...args]] as const;
  const steps = [
    types('types'),
    ...(changed.some((path) => /^src\/(?:interfaces\/ui|parts\/console-\w+)\//.test(path))
      ? [types('page', '-p', 'src/interfaces/ui')]
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

/**
 * The tests of a change that run within seconds: those that load a changed file themselves, and the others of its room that do so
 * through further sources. A file that is no module is loaded by those that name it. What is further away, slow or end-to-end
 * is left to `bun run test`.
 */
export async function selectTests(changed: readonly string[]): Promise<string[]> {
  const testsFor = await mapTests(ROOT);
  const tests = changed.flatMap((path) => {
    const { own, room } = testsFor(path);
    return [path, ...own, ...room];
  });
  const names = changed.filter((path) => !path.endsWith('.ts')).map((path) => basename(path));
  for await (const path of new Glob('test/**/*.test.ts').scan({ cwd: ROOT })) {
    const text = names.length > 0 ? await Bun.file(join(ROOT, path)).text() : '';
    if (names.some((name) => text.includes(name))) tests.push(path);
  }
  return [...new Set(tests)].filter(isQuick).toSorted();
}

function isQuick(path: string): boolean {
  return (
    /^test\/(?!e2e\/|system\/).*(?<!\.slow)\.test\.ts$/.test(path) &&
    !OF_THE_TREE.includes(path) &&
    existsSync(join(ROOT, path))
  );
}
