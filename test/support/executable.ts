import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
const EXECUTABLE = join(ROOT, 'dist/lurecheck');

/** Path of the compiled executable, built where `bun run test` has not just done so. */
export async function executable(): Promise<string> {
  if (!existsSync(EXECUTABLE)) {
    const build = Bun.spawn([process.execPath, '.ci/build.ts'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
    if ((await build.exited) !== 0) throw new Error('the executable cannot be built');
  }
  return EXECUTABLE;
}

/** What a command printed and how it ended. */
export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** What it reads: a text, or a file by its path. */
  readonly stdin?: string | { readonly path: string };
  readonly environment?: Record<string, string>;
  readonly cwd?: string;
}

/** Runs the executable to its end, in an environment that holds nothing but what is given. */
export async function lurecheck(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return (await runMeasured(args, options)).finished;
}

/** The same, with the most memory that it held at a time. */
export async function runMeasured(
  args: readonly string[],
  options: RunOptions = {},
): Promise<{ finished: Finished; maxRssBytes: number }> {
  const child = Bun.spawn([await executable(), ...args], {
    stdin: inputOf(options.stdin),
    stdout: 'pipe',
    stderr: 'pipe',
    env: options.environment ?? {},
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { finished: { exitCode, stdout, stderr }, maxRssBytes: child.resourceUsage()?.maxRSS ?? 0 };
}

function inputOf(stdin: RunOptions['stdin']): 'ignore' | Blob {
  if (stdin === undefined) return 'ignore';
  return typeof stdin === 'string' ? new Blob([stdin]) : Bun.file(stdin.path);
}
