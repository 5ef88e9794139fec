import { join } from 'node:path';
import { ReadinessSchema } from '#src/service/server/health-routes.ts';
import { startHaProxy } from '#test/support/haproxy.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { type Service, startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { LIMIT } from '../soak/limit-watch.ts';
import { askOnce } from './fleet-clients.ts';

/** Between two looks at what the nodes tell. */
const LOOK_EVERY_MS = 50;

/** Nodes behind a HAProxy, which count their clients together. Disposing of them ends those that run. */
export interface FleetNodes extends AsyncDisposable {
  /** Where HAProxy listens. */
  readonly port: number;
  /** Where each node listens itself. */
  readonly sockets: readonly string[];
  /** Starts a node that does not run. */
  start(at: number): Promise<void>;
  /** Asks a node to stop; its exit code. */
  stop(at: number): Promise<number>;
  /** Ends a node without a word; when that began and when it was over. */
  kill(at: number): Promise<{ readonly fromMs: number; readonly untilMs: number }>;
  /** Lets a node hang, and go on. */
  pause(at: number): void;
  resume(at: number): void;
  /** Waits until what each node tells its operator of is as it should be. */
  untilAll(isRight: (notices: readonly string[]) => boolean): Promise<void>;
  /** By which node each check was told; a node that was killed had no time to tell of its last ones. */
  nodeOf(): ReadonlyMap<unknown, string>;
  /** The same by the lives of the nodes, of which each knows nothing of the one before. */
  lifeOf(): ReadonlyMap<unknown, number>;
}

/** Starts a node for each folder, with `flags` and one limit for whoever is not in 127.1.0.0/16. */
export async function startNodes(
  folders: readonly string[],
  limiters: readonly string[],
  key: string,
  flags: readonly string[],
): Promise<FleetNodes> {
  const sockets = folders.map((folder) => `${folder}.sock`);
  const lives: { readonly node: string; readonly service: Service }[] = [];
  const running: (Service | null)[] = [];
  await using opening = new AsyncDisposableStack();
  opening.defer(async () => {
    for (const service of running) await service?.stop();
  });
  const start = async (at: number) => {
    const node = `node ${at}`;
    const service = await startService(folders[at] ?? '', [
      ...[...flags, '--node-name', node],
      ...['--listen', `unix:${sockets[at]}`, '--trusted-proxy', 'unix'],
      ...['--rate-limit', String(LIMIT), '--rate-limit-cidr', '127.1.0.0/16=0'],
      ...limiters.flatMap((limiter) => ['--limiter', limiter]),
      ...['--client-key-file', key],
      // HAProxy asks twice a second.
      ...['--stop-delay-seconds', '2'],
      // A busy machine is no Redis that is away.
      ...['--limiter-timeout-seconds', '2'],
    ]);
    lives.push({ node, service });
    running[at] = service;
  };
  for (const at of folders.keys()) await start(at);
  const { port } = opening.use(await startHaProxy(sockets));
  await until(async () => {
    const ready = await askOnce(port, '127.0.0.1', { path: '/readyz' });
    return ready.kind === 'answered' && ready.status === 200;
  });
  const closing = opening.move();
  const signal = (at: number, name: NodeJS.Signals) => {
    const pid = running[at]?.pid;
    if (pid !== undefined) process.kill(pid, name);
  };
  const told = <Said>(say: (life: (typeof lives)[number], at: number) => Said) =>
    new Map(lives.flatMap((life, at) => life.service.events().map((event) => [event['request_id'], say(life, at)])));
  return {
    port,
    sockets,
    start,
    async stop(at) {
      const code = await running[at]?.stop();
      running[at] = null;
      return code ?? -1;
    },
    async kill(at) {
      const fromMs = performance.now();
      await running[at]?.kill();
      running[at] = null;
      return { fromMs, untilMs: performance.now() };
    },
    pause: (at) => signal(at, 'SIGSTOP'),
    resume: (at) => signal(at, 'SIGCONT'),
    untilAll: (isRight) =>
      until(async () => {
        await Bun.sleep(LOOK_EVERY_MS);
        return (await Promise.all(sockets.map(noticesAt))).every(isRight);
      }),
    nodeOf: () => told(({ node }) => node),
    lifeOf: () => told((_, life) => life),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Makes the file by whose key the nodes hash their clients, and the names of as many folders. */
export async function prepareNodes(directory: string, count: number): Promise<{ key: string; folders: string[] }> {
  const key = join(directory, 'key');
  await Bun.write(key, crypto.getRandomValues(new Uint8Array(32)));
  return { key, folders: Array.from({ length: count }, (_, at) => join(directory, String(at))) };
}

async function noticesAt(unix: string): Promise<readonly string[]> {
  return parseAs(ReadinessSchema, await (await fetch('http://localhost/readyz', { unix })).json()).notices;
}
