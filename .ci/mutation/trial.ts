import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Executed, readExecuted } from './executed.ts';
import type { Mutant } from './mutants.ts';
import type { RoomTests } from './room-tests.ts';
import { COVERAGE, createRunner, type Fate, testing } from './runner.ts';

/** Who noticed a mutant; null where nobody did. */
export type Catcher = 'tests' | 'types' | 'time-out' | null;

/** A copy of the repository in which mutants are tried, one at a time. */
export interface Bench extends AsyncDisposable {
  /** Tries a mutant. Throws where a check fails without it. */
  try(mutant: Mutant): Promise<Catcher>;
}

/** A mutant may well be slower than the original, and the machine busy: what a run may take, beside the original's time. */
const PATIENCE_FACTOR = 4;
const PATIENCE_MS = 10_000;
/** What the compiler knows of the last bench: it examines what has changed since. */
const TYPES_KNOWN = 'types.tsbuildinfo';
const TYPES = ['node_modules/.bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', TYPES_KNOWN];

/** Copies what is under version control, or would be, beside the same packages. */
async function copyTree(root: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'lurecheck-mutants-'));
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '-z', '-co', '--exclude-standard'], { cwd: root });
  for (const path of stdout.toString().split('\0').filter(Boolean)) {
    if (!(await Bun.file(join(root, path)).exists())) continue;
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await cp(join(root, path), join(directory, path));
  }
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

/**
 * Opens a copy of the repository. Tests run where the only network is loopback: a mutant of the
 * egress policy may knock at doors that the policy keeps shut.
 */
export async function openBench(root: string, testsFor: (source: string) => RoomTests): Promise<Bench> {
  const directory = await copyTree(root);
  /** What each file of tests takes without a mutant: one that waits for ever is given up early where they are fast. */
  const originalMs = new Map<string, number>();
  const msOf = (file: string) => originalMs.get(file) ?? 0;
  /** The lines that each file of tests executes without a mutant. */
  const executed = new Map<string, Executed>();
  const coverage = join(directory, 'coverage');
  const run = createRunner(directory);
  const passes = async (command: readonly string[]) => (await run(command)).fate === 'passed';

  async function measure(file: string): Promise<Fate> {
    await rm(coverage, { recursive: true, force: true });
    const startedMs = performance.now();
    const { fate } = await run([...testing(file), ...COVERAGE, coverage]);
    originalMs.set(file, performance.now() - startedMs);
    executed.set(file, await readExecuted(join(coverage, 'lcov.info')));
    return fate;
  }

  /** Measures what has not yet been run without a mutant, which must pass. */
  async function rehearse(files: readonly string[]): Promise<void> {
    for (const file of files) {
      if (originalMs.has(file) || (await measure(file)) === 'passed' || (await measure(file)) === 'passed') continue;
      throw new Error(`without a mutant, there is a fault in ${file}`);
    }
  }

  /** Asks whoever is likely to notice before the others, and of those the quickest first. */
  async function findCatcher(mutant: Mutant, original: string): Promise<Catcher> {
    const source = join(directory, mutant.path);

    async function noticedBy(file: string): Promise<Catcher> {
      const ask = async (name?: string) => await run(testing(file, name), PATIENCE_MS + PATIENCE_FACTOR * msOf(file));
      const first = await ask();
      if (first.fate === 'passed') return null;
      // So may anything be by now, on a machine that others use as well: who fails without a mutant noticed none. The test
      // that failed says so alone, unless it needs those before it.
      const name = first.failed !== undefined && (await passesWithout(file, first.failed)) ? first.failed : undefined;
      const isSound = name !== undefined || (await passesWithout(file));
      const { fate } = isSound ? await ask(name) : { fate: 'passed' };
      return fate === 'passed' ? null : fate === 'failed' ? 'tests' : 'time-out';
    }

    async function passesWithout(file: string, name?: string): Promise<boolean> {
      await Bun.write(source, original);
      const isPassed = name === undefined ? (await measure(file)) === 'passed' : await passes(testing(file, name));
      await Bun.write(source, mutant.text);
      return isPassed;
    }

    /** Asks those that execute the mutant, which others cannot notice, quickest first. */
    async function noticedByAny(files: readonly string[]): Promise<Catcher> {
      const able = files.filter((file) => executed.get(file)?.(mutant) ?? true);
      for (const file of able.toSorted((a, b) => msOf(a) - msOf(b))) {
        const catcher = await noticedBy(file);
        if (catcher !== null) return catcher;
      }
      return null;
    }

    /** Asks those that were not yet run, in their order. */
    async function noticedByNew(files: readonly string[]): Promise<Catcher> {
      for (const file of files) {
        if (originalMs.has(file)) continue;
        await Bun.write(source, original);
        await rehearse([file]);
        await Bun.write(source, mutant.text);
        const catcher = await noticedByAny([file]);
        if (catcher !== null) return catcher;
      }
      return null;
    }

    const { own, room, others, staged } = testsFor(mutant.path);
    await rehearse(own);
    const known = (files: readonly string[]) => files.filter((file) => originalMs.has(file));
    await Bun.write(source, mutant.text);
    try {
      const near = (await noticedByAny(known([...own, ...room, ...others]))) ?? (await noticedByNew(room));
      if (near !== null) return near;
      if (!(await passes(TYPES))) return 'types';
      const far = (await noticedByNew(others)) ?? (await noticedByAny(known(staged)));
      return far ?? (await noticedByNew(staged));
    } finally {
      await Bun.write(source, original);
    }
  }

  const types = join(directory, TYPES_KNOWN);
  const lastTypes = join(root, 'node_modules/.cache', TYPES_KNOWN);
  if (await Bun.file(lastTypes).exists()) await cp(lastTypes, types);
  if (!(await passes(TYPES))) throw new Error('without a mutant, there is a fault in types');
  await mkdir(dirname(lastTypes), { recursive: true });
  await cp(types, lastTypes);
  return {
    try: async (mutant) => await findCatcher(mutant, await Bun.file(join(directory, mutant.path)).text()),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
