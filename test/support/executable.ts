import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { peakRssBytes } from './peak-memory.ts';

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
  const child = await start(args, options);
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
}

/**
 * Runs the executable to its end; the lines that it printed, and the most memory that it held while it printed them. Read
 * as it goes, because what is counted for a child at its end includes what this process held when it started it.
 */
export async function lurecheckMeasured(
  args: readonly string[],
  options: RunOptions = {},
): Promise<{ exitCode: number; lines: number; lastLine: string; maxRssBytes: number }> {
  const child = await start(args, options);
  const decoder = new TextDecoder();
  let [lines, lastLine, unfinished, maxRssBytes] = [0, '', '', 0];
  for await (const chunk of child.stdout) {
    const parts = (unfinished + decoder.decode(chunk, { stream: true })).split('\n');
    unfinished = parts.pop() ?? '';
    lines += parts.length;
    lastLine = parts.at(-1) ?? lastLine;
    maxRssBytes = Math.max(maxRssBytes, await peakRssBytes(child.pid));
  }
  return { exitCode: await child.exited, lines, lastLine, maxRssBytes };
}

async function start(args: readonly string[], options: RunOptions) {
  return Bun.spawn([await executable(), ...args], {
    stdin: inputOf(options.stdin),
    stdout: 'pipe',
    stderr: 'pipe',
    env: options.environment ?? {},
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
}

function inputOf(stdin: RunOptions['stdin']): 'ignore' | Blob {
  if (stdin === undefined) return 'ignore';
  return typeof stdin === 'string' ? new Blob([stdin]) : Bun.file(stdin.path);
}
