import { run } from '#src/interfaces/cli/index.ts';
import { silentIo } from './silent-io.ts';

/** Runs a command line in this process, with a text as its standard input; its exit code and what it printed. */
export async function runHere(args: readonly string[], stdin = '') {
  const io = silentIo();
  const bytes = (async function* () {
    if (stdin !== '') yield new TextEncoder().encode(stdin);
  })();
  const exitCode = await run(args, { ...io, stdin: bytes });
  return { exitCode, stdout: io.output(), stderr: io.errors() };
}
