import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Mutant } from './mutants.ts';
import type { RoomTests } from './room-tests.ts';

/** Who noticed a mutant; null where nobody did. */
export type Catcher = 'tests' | 'types' | 'time-out' | null;

/** What became of a command. */
type Fate = 'passed' | 'failed' | 'late';

/** A copy of the repository in which mutants are tried, one at a time. */
export interface Bench extends AsyncDisposable {
  /** Tries a mutant. Throws where a check fails without it. */
  try(mutant: Mutant): Promise<Catcher>;
}

/** Mutants that loop take memory, too: more than any test needs. */
const MEMORY_KIB = 6 * 1024 * 1024;
/** A mutant may well be slower than the original, and the machine busy: what a run may take, beside the original's time. */
const PATIENCE_FACTOR = 4;
const PATIENCE_MS = 10_000;
/** More than anything takes, and as much as a timer can hold. */
const UNLIMITED_MS = 2 ** 31 - 1;
/** The second time, the compiler looks at what has changed. */
const TYPES = ['node_modules/.bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', 'types.tsbuildinfo'];

/**
 * Copies what is under version control, or would be. Tests run where the only network is loopback: a mutant of the
 * egress policy may knock at doors that the policy keeps shut.
 */
export async function openBench(root: string, testsFor: (source: string) => RoomTests): Promise<Bench> {
  const directory = await mkdtemp(join(tmpdir(), 'lurecheck-mutants-'));
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '-z', '-co', '--exclude-standard'], { cwd: root });
  for (const path of stdout.toString().split('\0').filter(Boolean)) {
    if (!(await Bun.file(join(root, path)).exists())) continue;
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await cp(join(root, path), join(directory, path));
  }
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  /** What each file of tests takes without a mutant: one that waits for ever is given up early where they are fast. */
  const originalMs = new Map<string, number>();
  const msOf = (file: string) => originalMs.get(file) ?? 0;

  async function measure(file: string): Promise<Fate> {
    const startedMs = performance.now();
    const fate = await run(testing(file), UNLIMITED_MS);
    originalMs.set(file, performance.now() - startedMs);
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
      let fate = await run(testing(file), PATIENCE_MS + PATIENCE_FACTOR * msOf(file));
      if (fate !== 'passed') {
        // So may anything be by now, on a machine that others use as well: who fails without a mutant noticed none.
        await Bun.write(source, original);
        const isSound = (await measure(file)) === 'passed';
        await Bun.write(source, mutant.text);
        fate = isSound ? await run(testing(file), PATIENCE_MS + PATIENCE_FACTOR * msOf(file)) : 'passed';
      }
      return fate === 'passed' ? null : fate === 'failed' ? 'tests' : 'time-out';
    }

    async function noticedByAny(files: readonly string[]): Promise<Catcher> {
      for (const file of files) {
        const catcher = await noticedBy(file);
        if (catcher !== null) return catcher;
      }
      return null;
    }

    const { own, others } = testsFor(mutant.path);
    await rehearse(own);
    await Bun.write(source, mutant.text);
    try {
      const catcher = await noticedByAny(own.toSorted((a, b) => msOf(a) - msOf(b)));
      if (catcher !== null) return catcher;
      if ((await run(TYPES, UNLIMITED_MS)) !== 'passed') return 'types';
      for (const file of others) {
        await Bun.write(source, original);
        await rehearse([file]);
        await Bun.write(source, mutant.text);
        const other = await noticedBy(file);
        if (other !== null) return other;
      }
      return null;
    } finally {
      await Bun.write(source, original);
    }
  }

  async function run(command: readonly string[], withinMs: number): Promise<Fate> {
    const child = Bun.spawn([...ISOLATED, ...command], {
      cwd: directory,
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, withinMs);
    const exitCode = await child.exited;
    clearTimeout(timer);
    return isLate ? 'late' : exitCode === 0 ? 'passed' : 'failed';
  }

  if ((await run(TYPES, UNLIMITED_MS)) !== 'passed') throw new Error('without a mutant, there is a fault in types');
  return {
    try: async (mutant) => await findCatcher(mutant, await Bun.file(join(directory, mutant.path)).text()),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

function testing(file: string): readonly string[] {
  return [process.execPath, 'test', '--bail', `./${file}`];
}

/**
 * Namespaces of its own for network and processes: nothing outside is reached, and nothing of it outlives it. The machine
 * that the tests see there has one address beside those of loopback.
 */
const ISOLATED: readonly string[] = [
  ...['unshare', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])],
  ...['--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ...[
    'sh',
    '-c',
    `ip link set lo up && ip address add 192.0.2.1/32 dev lo && ulimit -v ${MEMORY_KIB} && exec "$@"`,
    'sh',
  ],
];
