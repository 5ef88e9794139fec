import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Writable } from 'node:stream';
import { environment } from '#src/app/config.ts';
import { readErrorText } from '#src/core/base/files/named-file.ts';
import type { Io, Output } from '#src/core/base/io.ts';
import { UsageError } from './command.ts';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Exit code that a shell reports for a program whose reader closed the pipe. */
const CLOSED_OUTPUT_CODE = 128 + constants.signals.SIGPIPE;

/** Milliseconds for which a partly written line may delay the exit after a signal. */
const GRACE_MS = 1000;

/** The streams and signals of this process, and its end. */
export interface ProcessIo extends Io {
  /** Ends the process, once what was printed is written. */
  exit(code: number): Promise<never>;
}

/**
 * The streams and signals of this process. A signal ends it at once, but for the text that is being written; a reader that
 * goes away ends it silently, any other failure to write with a sentence.
 */
export function openProcessIo(): ProcessIo {
  const stop = new AbortController();
  let reload: (() => void) | null = null;
  let takesSignals = false;
  const clearings = new Set<() => void>();
  const stderr = outputTo(process.stderr, () => 'go on');
  const stdout = outputTo(process.stdout, (error) => {
    if (reload) return 'go on';
    void endWith(error);
    return 'end';
  });

  function takeSignals(): void {
    if (takesSignals) return;
    takesSignals = true;
    const ignored = !reload && ignoresHangup() ? 'SIGHUP' : null;
    for (const signal of STOP_SIGNALS) if (signal !== ignored) process.on(signal, onSignal);
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (!reload) void endBy(signal);
    else if (signal === 'SIGHUP') reload();
    else stop.abort();
  }

  async function endBy(signal: NodeJS.Signals): Promise<void> {
    await Promise.race([stdout.halt(), Bun.sleep(GRACE_MS)]);
    for (const one of STOP_SIGNALS) process.off(one, onSignal);
    for (const clear of clearings) clear();
    // By the signal itself, which also ends a shell's loop; the system spares the first process of a container.
    process.kill(process.pid, signal);
    process.exit(128 + constants.signals[signal]);
  }

  async function endWith(error: unknown): Promise<void> {
    void stdout.halt();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EPIPE') process.exit(CLOSED_OUTPUT_CODE);
    await stderr.write(`lurecheck: cannot write the output: ${OBSTACLES[code] ?? code}\n`);
    process.exit(1);
  }

  return {
    stdin: standardInput(),
    stdout: {
      ...stdout,
      write(text) {
        // Before the first write, the default action of signals suffices and also ends computations.
        takeSignals();
        return stdout.write(text);
      },
    },
    stderr,
    environment: environment(),
    serve(onReload) {
      reload = onReload;
      takeSignals();
      return stop.signal;
    },
    beforeExit(clear) {
      takeSignals();
      clearings.add(clear);
      return { [Symbol.dispose]: () => void clearings.delete(clear) };
    },
    async exit(code) {
      await Promise.all([stdout.halt(), stderr.halt()]);
      process.exit(code);
    },
  };
}

/** Reads standard input, opened at the first read. Throws UsageError if it cannot be read, such as a folder. */
async function* standardInput(): AsyncGenerator<Uint8Array> {
  try {
    yield* Bun.stdin.stream();
  } catch (cause) {
    throw new UsageError(`standard input ${readErrorText(cause)}`, { cause });
  }
}

/** Returns true if the process was started by nohup(1), or so that it outlives its terminal in another way. */
function ignoresHangup(): boolean {
  try {
    // proc_pid_status(5): a bit for each signal, the first one for signal 1.
    const [, mask = '0'] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return (BigInt(`0x${mask}`) & 1n) === 1n;
  } catch {
    return false;
  }
}

/** Texts of failed writes by error code (errno(3)). */
const OBSTACLES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EFBIG: 'the file has reached the size limit',
  EIO: 'the device has failed',
};

/** Members of a stream in use; a terminal has a width. */
type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** An output that can be brought to an end. */
interface StreamOutput extends Output {
  /** Stops writing: further writes never resolve. Resolves when the current writes are complete. */
  halt(): Promise<void>;
}

/** Called with a write error: the writer either continues, or waits for the end of the process. */
type OnFailure = (error: unknown) => 'go on' | 'end';

/** Writes to a stream, as fast as its reader takes it. */
export function outputTo(stream: OutputStream, onFailure: OnFailure): StreamOutput {
  const underWay = new Set<Promise<void>>();
  let isHalted = false;
  // Write errors are handled by the writer; without a listener, the stream would throw them again.
  stream.on('error', () => {});
  return {
    isTerminal: stream.isTTY === true,
    columns: stream.columns ?? 80,
    write(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (isHalted) return promise;
      underWay.add(promise);
      stream.write(text, (error) => {
        if (error && onFailure(error) === 'end') return;
        underWay.delete(promise);
        // Yield to the event loop: if the reader takes everything at once, signals would never be handled.
        setImmediate(resolve);
      });
      return promise;
    },
    async halt() {
      isHalted = true;
      await Promise.all(underWay);
    },
  };
}
