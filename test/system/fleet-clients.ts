import { type Ask, ask, type Reply } from '../soak/ask.ts';

/** Between two requests of one client. */
const PAUSE_MS = 50;

/** A reply that came. */
export type Answered = Extract<Reply, { kind: 'answered' }>;

/** What a client asks, beside where and from which address. */
export type Question = Omit<Ask, 'port' | 'from'>;

/** A client that asks on and on. Disposing of it waits for its last answer. */
export interface Client extends AsyncDisposable {
  readonly replies: readonly Reply[];
}

/** Asks one thing. */
export function askOnce(port: number, from: string, question: Question): Promise<Reply> {
  return ask({ ...question, port, from });
}

/** A public check of a URL of its own, for what a client asks as the `count`th. */
export function publicCheck(from: string): (count: number) => Question {
  return (count) => checkOf({ url: `http://example.com/${from}/${count}` });
}

/** The request to check what a body names. */
export function checkOf(body: Readonly<Record<string, unknown>>, path = '/api/check-url'): Question {
  return { method: 'POST', path, body: JSON.stringify(body) };
}

/** Asks so many times, one after the other. */
export async function askOften(port: number, from: string, times: number): Promise<readonly Reply[]> {
  const question = publicCheck(from);
  const replies: Reply[] = [];
  while (replies.length < times) replies.push(await askOnce(port, from, question(replies.length)));
  return replies;
}

/** Starts a client, which asks what `question` says. */
export function startClient(port: number, from: string, question = publicCheck(from)): Client {
  const replies: Reply[] = [];
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      replies.push(await askOnce(port, from, question(replies.length)));
      await Bun.sleep(PAUSE_MS);
    }
  })();
  return {
    replies,
    async [Symbol.asyncDispose]() {
      isOver = true;
      await done;
    },
  };
}

/** Whether a request was let in and done. */
export const isAdmitted = (reply: Reply): reply is Answered => reply.kind === 'answered' && reply.status === 200;

/** Whether it was neither answered nor refused for the limit. */
export const isFailed = (reply: Reply): boolean => reply.kind !== 'answered' || ![200, 429].includes(reply.status);
