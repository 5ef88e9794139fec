import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { untilSeen } from './until.ts';

/** Programs of Squid: Debian's, and the one with OpenSSL that `.ci/run` unpacks aside. */
export const SQUID = 'squid';
export const SQUID_OPENSSL = '/opt/squid-openssl/usr/sbin/squid';

/** A running Squid. */
export interface Squid extends AsyncDisposable {
  readonly port: number;
  /** Folder for its files, which its user may write to. */
  readonly folder: string;
  /** Processor time of its processes so far, in milliseconds. */
  cpuMs(): Promise<number>;
}

/** How Squid is started. */
export interface SquidOptions {
  readonly program?: string;
  /** Lines for the configuration, such as an example of the manual; gets the folder. */
  readonly config: (folder: string) => string;
  /** Options of `http_port`; gets the folder. */
  readonly portOptions?: (folder: string) => string;
  /** Names that lead to this host. */
  readonly names?: readonly string[];
  /** Prepares the folder. */
  readonly prepare?: (folder: string) => Promise<void>;
}

/** Starts Squid on a free port of the loopback, without a cache, and waits until it answers. */
export async function startSquid({
  program = SQUID,
  config,
  portOptions,
  names = [],
  prepare,
}: SquidOptions): Promise<Squid> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(temporaryDirectory());
  // Squid gives up root for its own user.
  chmodSync(folder, 0o777);
  await prepare?.(folder);
  const port = await freePort();
  writeFileSync(join(folder, 'hosts'), names.map((name) => `127.0.0.1 ${name}\n`).join(''));
  const lines = [
    `http_port 127.0.0.1:${port} ${portOptions?.(folder) ?? ''}`,
    `hosts_file ${folder}/hosts`,
    ...['cache deny all', 'cache_mem 8 MB', 'shutdown_lifetime 1 second', 'netdb_filename none', 'pinger_enable off'],
    ...[`pid_filename ${folder}/squid.pid`, `access_log stdio:${folder}/access.log`, `cache_log ${folder}/cache.log`],
    `coredump_dir ${folder}`,
    'workers 1',
    config(folder),
    'http_access allow all',
  ];
  const file = join(folder, 'squid.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const log = Bun.file(join(folder, 'output'));
  const child = Bun.spawn([program, '-N', '-f', file], { stdout: log, stderr: log });
  stack.defer(async () => {
    child.kill('SIGKILL');
    await child.exited;
  });
  const isUp = () =>
    Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } }).then(
      (socket) => {
        socket.end();
        return true;
      },
      () => false,
    );
  await untilSeen('Squid', async () => child.exitCode !== null || (await isUp()));
  if (child.exitCode !== null) throw new Error(`Squid did not start: ${await log.text()}`);
  const closing = stack.move();
  return {
    port,
    folder,
    async cpuMs() {
      // Fields 14 and 15 of proc(5) are in hundredths of a second.
      const fields = (await Bun.file(`/proc/${child.pid}/stat`).text()).split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
