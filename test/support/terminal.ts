import { executable } from './executable.ts';

/** The executable on a pseudo-terminal. */
export interface OnTerminal extends Disposable {
  /** All that it showed so far. */
  shown(): string;
  /** Waits until it has shown a text. */
  until(text: string): Promise<void>;
  /** Types as a person would; `\u0003` is Ctrl+C. */
  type(text: string): void;
  /** Resolves to the exit code, 128 and the signal's number where one has ended it. */
  readonly exited: Promise<number>;
}

const COLOURS: Record<string, string> = { TERM: 'xterm' };

/** Starts the executable with a terminal as all its streams. */
export async function onTerminal(args: readonly string[], environment = COLOURS): Promise<OnTerminal> {
  return spawnOnTerminal([await executable(), ...args], environment);
}

/** Starts a line of a shell on a terminal; `$lurecheck` in it is the executable. */
export async function shellOnTerminal(line: string): Promise<OnTerminal> {
  return spawnOnTerminal(['/bin/sh', '-c', line], { ...COLOURS, PATH: '/usr/bin:/bin', lurecheck: await executable() });
}

function spawnOnTerminal(command: string[], environment: Record<string, string>): OnTerminal {
  const decoder = new TextDecoder();
  let shown = '';
  let waiting: (() => void)[] = [];
  const child = Bun.spawn(command, {
    env: environment,
    terminal: {
      data(_terminal, bytes) {
        shown += decoder.decode(bytes, { stream: true });
        const ready = waiting;
        waiting = [];
        for (const look of ready) look();
      },
    },
  });
  return {
    shown: () => shown,
    async until(text) {
      while (!shown.includes(text)) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    type: (text) => child.terminal?.write(text),
    exited: child.exited,
    [Symbol.dispose]() {
      child.kill('SIGKILL');
      child.terminal?.close();
    },
  };
}
