import type { Service, startService } from '#test/support/service.ts';
import type { Reply } from './ask.ts';
import { explainsSilence, type Gap } from './gap.ts';

/** The service, life after life on one data directory. Disposing of it ends the last one. */
export interface Lives extends AsyncDisposable {
  readonly pid: number;
  /** Lives so far, this one included. */
  readonly count: number;
  readonly isUp: boolean;
  /** Ends a life, by `kill -9` or in an orderly way, and starts the next. Returns what of that was not as it should be. */
  end(how: Gap['how']): Promise<string[]>;
  /** Ends the last life. */
  finish(): Promise<string[]>;
  /** Whether a gap explains that a request went without an answer. */
  explains(reply: Reply): boolean;
}

/** Faults of the program itself, and losses: no bad day explains them. A full disk is told as `log.append_failed`. */
const EXPLICABLE = new Set(['log.append_failed']);

export async function startLives(start: () => ReturnType<typeof startService>): Promise<Lives> {
  const gaps: Gap[] = [];
  let count = 1;
  let isUp = true;
  let service: Service = await start();

  async function stop(how: Gap['how']): Promise<{ gap: Gap; problems: string[] }> {
    const gap: Gap = { how, fromMs: performance.now(), untilMs: Number.POSITIVE_INFINITY };
    gaps.push(gap);
    isUp = false;
    const problems: string[] = [];
    if (how === 'killed') await service.kill();
    else {
      const exitCode = await service.stop();
      if (exitCode !== 0) problems.push(`it ended with ${exitCode} on SIGTERM`);
    }
    problems.push(...complaintsIn(service));
    return { gap, problems };
  }

  return {
    get pid() {
      return service.pid;
    },
    get count() {
      return count;
    },
    get isUp() {
      return isUp;
    },
    async end(how) {
      const { gap, problems } = await stop(how);
      service = await start();
      gap.untilMs = performance.now();
      count++;
      isUp = true;
      return problems;
    },
    finish: async () => (await stop('stopped')).problems,
    explains: (reply) => gaps.some((gap) => explainsSilence(gap, reply)),
    [Symbol.asyncDispose]: async () => {
      if (isUp) await service.kill();
    },
  };
}

/** Lines that no service should write, whatever happens to it. */
function complaintsIn(service: Service): string[] {
  const faults = service.events().filter(({ level, event }) => level === 'error' && !EXPLICABLE.has(event));
  return [...faults.map((fault) => JSON.stringify(fault)), ...service.output.stderr.split('\n').filter(Boolean)];
}
