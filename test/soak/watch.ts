import { ask } from './ask.ts';
import { BARE_PORT } from './bare.ts';
import { residentMib } from './gauge.ts';
import type { Lives } from './lives.ts';

const LIVEZ_EVERY_MS = 250;
const MEMORY_EVERY_MS = 1000;

/** What a process held at a moment of its life. */
export interface MemorySample {
  readonly life: number;
  readonly atMs: number;
  readonly mib: number;
}

/** Somebody who never takes an eye off the service. */
export interface Watch extends Disposable {
  /** How long `/livez` took, each time. */
  readonly livezMs: readonly number[];
  /** How long a server that does nothing took at the same times: what of that is the machine's. */
  readonly bareMs: readonly number[];
  readonly memory: readonly MemorySample[];
}

/** @param violate is told where `/livez` does not answer although the service is meant to live. */
export function watchService(lives: Lives, violate: (what: string) => void): Watch {
  const livezMs: number[] = [];
  const bareMs: number[] = [];
  const memory: MemorySample[] = [];
  const look = async () => {
    if (!lives.isUp) return;
    const reply = await ask({ path: '/livez', from: '127.0.0.1' });
    if (lives.explains(reply)) return;
    if (reply.kind === 'answered' && reply.status === 200) livezMs.push(reply.endedMs - reply.sentMs);
    else violate(`/livez: ${JSON.stringify(reply)}`);
  };
  const lookAtBare = async () => {
    const { sentMs, endedMs } = await ask({ port: BARE_PORT, path: '/', from: '127.0.0.1' });
    bareMs.push(endedMs - sentMs);
  };
  const lookAtBoth = () => {
    void look();
    void lookAtBare();
  };
  const sample = () => {
    if (lives.isUp) memory.push({ life: lives.count, atMs: performance.now(), mib: residentMib(lives.pid) });
  };
  const timers = [setInterval(lookAtBoth, LIVEZ_EVERY_MS), setInterval(sample, MEMORY_EVERY_MS)];
  return {
    livezMs,
    bareMs,
    memory,
    [Symbol.dispose]: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
