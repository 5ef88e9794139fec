/** One of the two streams that a command writes to. */
export interface Output {
  /** Resolves when the reader has taken enough that more may be written. */
  write(text: string): Promise<void>;
  /** Whether a person is looking: colours and progress are for people. */
  readonly isTerminal: boolean;
  /** Characters in a line of the terminal. */
  readonly columns: number;
}

/** Everything of the process that a command may touch. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted when the process is asked to stop. */
  readonly stop: AbortSignal;
}

/** Whether colours help: a person is looking, and has not said otherwise (https://no-color.org). */
export function wantsColour({ stdout, environment }: Io): boolean {
  return stdout.isTerminal && !environment['NO_COLOR'];
}
