import { join } from 'node:path';
import { type LoadResult, runLoad } from './load.ts';
import { urlOf } from './load-urls.ts';
import { type RunningServer, startBare, startProgram } from './running-server.ts';
import type { Programs, Subject } from './samples.ts';

const PATH = '/api/check-url';
const BATCH_PATH = '/api/check-urls';

/** As many as a busy proxy in front would hold open. */
const CONNECTIONS = 64;

/** The services that are compared, and the bare server as their reference, all running. */
export interface Contest extends AsyncDisposable {
  readonly servers: ReadonlyMap<Subject, RunningServer>;
  /** Sends one of them so many checks, each of another URL. */
  ask(subject: Subject, requests: number, options?: AskOptions): Promise<LoadResult>;
  /** How many it was asked for so far. */
  askedOf(subject: Subject): number;
  /** The directory of its logs. */
  dataDirOf(subject: Subject): string;
}

/** How a server is asked. */
export interface AskOptions {
  /** Requests that fall due per second; each as soon as a connection is free by default. */
  readonly perSecond?: number;
  /** URLs in a request, over one connection; each has a request of its own by default. */
  readonly together?: number;
}

/** Starts them; the bare one answers as a program of ours did. */
export async function openContest(programs: Programs, folder: string): Promise<Contest> {
  await using stack = new AsyncDisposableStack();
  const servers = new Map<Subject, RunningServer>();
  const asked = new Map<Subject, number>();
  const dataDirOf = (subject: Subject) => join(folder, `data-${subject}`);
  for (const [subject, program] of programs) {
    servers.set(subject, stack.use(await startProgram(program, dataDirOf(subject))));
  }
  asked.set('own', 1);
  const answer = await fetch(`${servers.get('own')?.url}${PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: bodyOf(urlOf(0)),
  });
  servers.set('reference', stack.use(await startBare(answer, folder)));
  const running = stack.move();
  return {
    servers,
    dataDirOf,
    askedOf: (subject) => asked.get(subject) ?? 0,
    async ask(subject, requests, { perSecond = null, together = 1 } = {}) {
      const before = asked.get(subject) ?? 0;
      const count = Math.ceil(requests / together);
      asked.set(subject, before + count * together);
      const load = { port: servers.get(subject)?.port ?? 0, requests: count, perSecond };
      if (together === 1) {
        const connections = Math.min(CONNECTIONS, requests);
        return await runLoad({ ...load, path: PATH, connections, body: (n) => bodyOf(urlOf(before + n)) });
      }
      const urls = (n: number) => Array.from({ length: together }, (_, i) => urlOf(before + n * together + i));
      const body = (n: number) => JSON.stringify({ urls: urls(n), private_mode: false });
      return await runLoad({ ...load, path: BATCH_PATH, connections: 1, body });
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Returns the body of a request to check a URL publicly. */
export const bodyOf = (url: string): string => JSON.stringify({ url, private_mode: false });
