/** A process of the soak, beside the service. Disposing of it ends it. */
export interface Part extends AsyncDisposable {
  /** The first line that it printed, which says that it is ready. */
  readonly firstLine: string;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Starts a script of this folder and waits until it is ready. */
export async function startPart(script: string, args: readonly string[] = []): Promise<Part> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/${script}`, ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const lines = child.stdout.getReader();
  const decoder = new TextDecoder();
  let printed = '';
  while (!printed.includes('\n')) {
    const { done, value } = await lines.read();
    if (done) throw new Error(`${script} did not start`);
    printed += decoder.decode(value, { stream: true });
  }
  lines.releaseLock();
  return {
    firstLine: printed.slice(0, printed.indexOf('\n')),
    signal: (signal) => child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}
