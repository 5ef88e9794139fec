/** What became of a command. */
export type Fate = 'passed' | 'failed' | 'late';

/** The end of a run of tests. */
interface Outcome {
  readonly fate: Fate;
  /** Name of the test that failed; undefined if it is not known. */
  readonly failed: string | undefined;
}

/** Mutants that loop take memory, too: more than any test needs. */
const MEMORY_KIB = 6 * 1024 * 1024;
/** More than anything takes, and as much as a timer can hold. */
const UNLIMITED_MS = 2 ** 31 - 1;

/** The line of a test that failed. */
const FAILED = /^\(fail\) (.+?)(?: \[[\d.]+ms\])?$/m;

/** Returns a function that runs a command in a directory, by itself, and kills it after some milliseconds. */
export function createRunner(directory: string) {
  return async (command: readonly string[], withinMs = UNLIMITED_MS): Promise<Outcome> => {
    const child = Bun.spawn([...ISOLATED, ...command], {
      cwd: directory,
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, withinMs);
    const [exitCode, said] = await Promise.all([child.exited, child.stderr.text()]);
    clearTimeout(timer);
    const fate = isLate ? 'late' : exitCode === 0 ? 'passed' : 'failed';
    return { fate, failed: FAILED.exec(said)?.[1] };
  };
}

/** Runs a file of tests, or one test of it. Tests of the system stage are left out otherwise. */
export function testing(file: string, name?: string): readonly string[] {
  // Bun shows an arrow between `describe` and a test, for which the pattern has a space.
  const pattern = name?.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(' > ', '(?: > | )');
  const only = pattern === undefined ? [] : ['--test-name-pattern', `^${pattern}$`];
  return [process.execPath, 'test', '--bail', '--path-ignore-patterns=none', ...only, `./${file}`];
}

/** Options of such a run that report what was executed; the folder for the report follows. */
export const COVERAGE: readonly string[] = ['--coverage', '--coverage-reporter=lcov', '--coverage-dir'];

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
