/** One of the two streams that a command writes to. */
export interface Output {
  /** Resolves when the text is written. If writing fails, the process ends, and the promise never settles. */
  write(text: string | Uint8Array): Promise<void>;
  /** True if the stream is a terminal, which gets colours and progress. */
  readonly isTerminal: boolean;
  /** Characters in a line of the terminal. */
  readonly columns: number;
}

/** Process resources that a command may use. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** True if notices are unwanted on stderr. */
  readonly isQuiet?: boolean;
  /** True if the command changes what the nodes of a fleet share. */
  readonly isOfFleet?: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Turns the process into a service: from then on, signals and closed pipes do not end it. The returned signal aborts
   * when the service must stop, which is up to the command. `reload` is called at each SIGHUP.
   */
  serve(reload: () => void): AbortSignal;
  /** Registers a synchronous clean-up to run before a signal ends the process, until it is disposed of. */
  beforeExit(clear: () => void): Disposable;
}
