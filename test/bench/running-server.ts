import { join } from 'node:path';

/** A server under load; disposing of it asks it to stop and waits. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
}

/** `Environment=` of the unit, which an installed service has. */
async function unitEnvironment(): Promise<Record<string, string>> {
  const unit = await Bun.file(join(import.meta.dir, '../../.ci/packaging/lurecheck.service')).text();
  return Object.fromEntries(
    [...unit.matchAll(/^Environment=([^=\s]+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
  );
}

/** Starts the service without a limit, and without a network by default; each check is committed before its answer. */
export async function startProgram(
  program: string,
  dataDir: string,
  args: readonly string[] = ['--network', 'none'],
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const command = [program, 'serve', '--listen', '127.0.0.1:0', '--data-dir', dataDir];
  return await start([...command, ...args, '--rate-limit', '0'], { ...(await unitEnvironment()), ...environment });
}

/** A bare `Bun.serve` that sends the headers of this answer, and its body. */
export async function startBare(answer: Response, folder: string): Promise<RunningServer> {
  const headers = new Headers(answer.headers);
  // These it sends of itself.
  for (const name of ['date', 'content-length']) headers.delete(name);
  const file = join(folder, 'answer.json');
  await Bun.write(file, JSON.stringify({ headers: Object.fromEntries(headers), body: await answer.text() }));
  return await start([process.execPath, join(import.meta.dir, 'bare-server.ts'), file]);
}

async function start(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit', env });
  const lines = child.stdout.getReader();
  const decoder = new TextDecoder();
  let printed = '';
  let url: string | undefined;
  while (url === undefined) {
    const { value, done } = await lines.read();
    if (done) throw new Error(`${command.join(' ')} does not serve`);
    printed += decoder.decode(value, { stream: true });
    url = /"event":"server\.listening","url":"([^"]+)"/.exec(printed)?.[1];
  }
  // What it prints must be read, or the pipe would fill and stop it.
  const drained = (async () => {
    while (!(await lines.read()).done);
  })();
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await Promise.all([child.exited, drained]);
    },
  };
}
