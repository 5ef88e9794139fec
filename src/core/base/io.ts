/** One of the two streams that a command writes to. */
export interface Output {
  /** Resolves when it is written. Where it cannot be, the process ends, and the promise stays open. */
  write(text: string | Uint8Array): Promise<void>;
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
  /**
   * Makes a service of the process: from here on neither a signal nor a reader that goes away ends it. Aborted when it
   * is asked to stop, which is then the command's to do. At each SIGHUP `reload` is called.
   */
  serve(reload: () => void): AbortSignal;
  /** Has something cleared away, at once, before a signal ends the process; until it is disposed of. */
  beforeEnd(clear: () => void): Disposable;
}
