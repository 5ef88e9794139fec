import { environment } from '#src/program/config.ts';
import type { Io, Output } from './io.ts';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The streams and signals of this process. Close it when the command has ended, so that the process can end. */
export function openProcessIo(): Io & { close(): void } {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  return {
    stdin: Bun.stdin.stream(),
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    environment: environment(),
    stop: controller.signal,
    close() {
      for (const signal of STOP_SIGNALS) process.off(signal, stop);
    },
  };
}

function output(stream: NodeJS.WriteStream): Output {
  // A reader that has gone away, such as `head`, is no fault of ours: the rest is dropped and the command ends normally.
  let isOpen = true;
  stream.on('error', () => {
    isOpen = false;
  });
  return {
    isTerminal: stream.isTTY === true,
    columns: stream.columns ?? 80,
    write: (text) =>
      new Promise((resolve) => {
        if (!isOpen || stream.write(text)) return resolve();
        stream.once('drain', resolve);
        stream.once('error', () => resolve());
      }),
  };
}
