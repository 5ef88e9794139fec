import { unlimitedAddress } from './addresses.ts';
import { ask } from './ask.ts';
import type { Clients } from './clients.ts';
import { numberIn } from './ledger.ts';
import { median } from './memory-verdict.ts';

/** Clients that ask for slow sites, and how many checks each has under way at all times. */
const SLOW_CLIENTS = 6;
const SLOW_CHECKS = 20;
/** Good checks of the seventh client, one after the other. */
const GOOD_CHECKS = 15;
/** How long the slow ones are left to themselves before the seventh comes. */
const HEAD_START_MS = 1000;
/** What somebody who was refused waits at least before asking again. */
const PAUSE_MS = 500;

/** What the seventh client waits for its check. */
export interface Wait {
  readonly aloneMs: number;
  readonly besideMs: number;
  readonly problems: readonly string[];
}

/** What is checked, and who notes what came of it. */
export interface WaitParts {
  readonly goodUrl: string;
  readonly slowUrls: readonly string[];
  readonly clients: Pick<Clients, 'open' | 'note'>;
}

/** Measures what a client waits that asks for one good check at a time: alone, and beside six that each ask for 20 slow ones. */
export async function measureWait({ goodUrl, slowUrls, clients }: WaitParts): Promise<Wait> {
  const problems: string[] = [];
  const check = async (client: number, url: string) => {
    const number = clients.open('public');
    const body = JSON.stringify({ url: url + numberIn(number), private_mode: false });
    const reply = await ask({ method: 'POST', path: '/api/check-url', body, from: unlimitedAddress(client) });
    clients.note(reply, number);
    return reply;
  };
  const good = async () => {
    const waits: number[] = [];
    for (let i = 0; i < GOOD_CHECKS; i++) {
      const reply = await check(7, goodUrl);
      waits.push(reply.endedMs - reply.sentMs);
      if (reply.kind !== 'answered' || reply.status !== 200)
        problems.push(`the seventh client was told ${JSON.stringify(reply).slice(0, 300)}`);
    }
    return median(waits);
  };

  await check(7, goodUrl);
  const aloneMs = await good();
  let isOver = false;
  const slow = async (client: number, n: number) => {
    while (!isOver) {
      const reply = await check(client, slowUrls[n % slowUrls.length] ?? '');
      if (reply.kind !== 'answered' || reply.status !== 200) await Bun.sleep(PAUSE_MS);
    }
  };
  const slowOnes = Array.from({ length: SLOW_CLIENTS * SLOW_CHECKS }, (_, n) => slow(1 + (n % SLOW_CLIENTS), n));
  await Bun.sleep(HEAD_START_MS);
  const besideMs = await good();
  isOver = true;
  await Promise.all(slowOnes);
  if (besideMs > 2 * aloneMs)
    problems.push(
      `the seventh client waits ${besideMs.toFixed(0)} ms beside others, and ${aloneMs.toFixed(0)} ms alone`,
    );
  return { aloneMs, besideMs, problems };
}
