import type { Io } from '#src/core/base/io.ts';

/** Resources of a command in this process, which keep what it writes. */
export function silentIo(): Io & { output(): string; errors(): string } {
  const written = { stdout: '', stderr: '' };
  const outputTo = (stream: keyof typeof written) => ({
    isTerminal: false,
    columns: 80,
    async write(text: string | Uint8Array) {
      written[stream] += typeof text === 'string' ? text : new TextDecoder().decode(text);
    },
  });
  return {
    stdin: (async function* () {})(),
    stdout: outputTo('stdout'),
    stderr: outputTo('stderr'),
    environment: {},
    serve: () => new AbortController().signal,
    beforeExit: () => ({ [Symbol.dispose]() {} }),
    output: () => written.stdout,
    errors: () => written.stderr,
  };
}
