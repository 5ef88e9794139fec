/** A process that measures once for each line that it reads, and prints the figures as a line of JSON. */
export interface AskedProcess extends AsyncDisposable {
  measure(): Promise<Readonly<Record<string, number>>>;
}

/** Starts a script of this folder, or its copy in the sources of another commit. */
export function startAsked(script: string, ...args: readonly string[]): AskedProcess {
  const child = Bun.spawn([process.execPath, script, ...args], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' });
  const chunks = child.stdout.getReader();
  const decoder = new TextDecoder();
  return {
    async measure() {
      child.stdin.write('\n');
      await child.stdin.flush();
      let line = '';
      while (!line.endsWith('\n')) {
        const { value, done } = await chunks.read();
        if (done) throw new Error(`${script} ended before it had measured`);
        line += decoder.decode(value, { stream: true });
      }
      return JSON.parse(line);
    },
    async [Symbol.asyncDispose]() {
      await child.stdin.end();
      await child.exited;
    },
  };
}
