import { join } from 'node:path';
import { temporaryDirectory } from './temporary-directory.ts';
import { until } from './until.ts';

/** A Redis of this machine's package in a folder of its own, which keeps nothing. Disposing of it ends it. */
export interface RedisServer extends AsyncDisposable {
  /** By its unix socket, without a password. */
  readonly url: string;
  readonly socket: string;
  readonly pid: number;
  /** Stops it in the middle of whatever it does, as a hanging machine does. */
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
}

/** Starts `redis-server` (Debian's package of that name) on a unix socket; `args` are added to its command line. */
export async function startRedis(args: readonly string[] = [], folder?: string): Promise<RedisServer> {
  if (Bun.which('redis-server') === null) throw new Error('redis-server is needed: apt-get install redis-server');
  const directory = temporaryDirectory();
  const cwd = folder ?? directory.path;
  const socket = join(directory.path, 'redis.sock');
  const command = ['redis-server', '--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no', ...args];
  const child = Bun.spawn(command, { cwd, stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' });
  let said = '';
  const drained = (async () => {
    for await (const chunk of child.stdout) said += Buffer.from(chunk).toString();
  })();
  await until(() => {
    if (child.exitCode !== null) throw new Error(`redis-server did not start: ${said}`);
    return /ready to accept connections at|Loading RDB/.test(said);
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await Promise.all([child.exited, drained]);
  };
  return {
    url: `redis+unix://${socket}`,
    socket,
    pid: child.pid,
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      await directory[Symbol.asyncDispose]();
    },
  };
}
