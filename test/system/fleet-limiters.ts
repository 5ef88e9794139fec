import { RedisClient } from 'bun';
import { freePort } from '#test/support/free-port.ts';
import { type RedisServer, startRedis } from '#test/support/redis-server.ts';
import { until } from '#test/support/until.ts';

/** A Redis in which nodes count, and its replica. */
export interface ReplicatedLimiters extends AsyncDisposable {
  /** Both servers, the primary first. */
  readonly urls: readonly string[];
  /** Lets the server hang that is counted in, and go on. */
  pause(): void;
  resume(): void;
  /** Ends the primary without a word, and starts it again, without what it had counted. */
  restartPrimary(): Promise<void>;
  /** Ends the primary without a word, and makes the replica the primary. */
  failOver(): Promise<void>;
  /** Starts the ended primary again, as one that takes writes. */
  startFormerPrimary(): Promise<void>;
}

/** Starts both servers. */
export async function startReplicatedLimiters(): Promise<ReplicatedLimiters> {
  await using opening = new AsyncDisposableStack();
  const [port, replicaPort] = [await freePort(), await freePort()];
  const argsOf = (own: number) => ['--port', String(own), '--bind', '127.0.0.1', '--repl-diskless-sync-delay', '0'];
  const start = async (own: number, more: readonly string[] = []) =>
    opening.use(await startRedis([...argsOf(own), ...more]));
  let primary: RedisServer = await start(port);
  const replica = await start(replicaPort, ['--replicaof', `127.0.0.1 ${port}`]);
  let current = primary;
  const closing = opening.move();
  const restarted = async () => {
    primary = closing.use(await startRedis(argsOf(port)));
    return primary;
  };
  return {
    urls: [port, replicaPort].map((own) => `redis://127.0.0.1:${own}`),
    pause: () => current.pause(),
    resume: () => current.resume(),
    async restartPrimary() {
      await primary.kill();
      current = await restarted();
    },
    async failOver() {
      const admin = new RedisClient(replica.url);
      await until(async () => String(await admin.send('INFO', ['replication'])).includes('master_link_status:up'));
      await primary.kill();
      await admin.send('REPLICAOF', ['NO', 'ONE']);
      admin.close();
      current = replica;
    },
    async startFormerPrimary() {
      await restarted();
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
