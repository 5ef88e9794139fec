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
/** Latency beside others, as a multiple of that alone, that is still fair. */
const FAIR_RATIO = 2;
/** Attempts at a fair measurement: another program's load in one half of a measurement changes the ratio. */
const ATTEMPTS = 3;

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

/** Measures the latency of a client with one good check at a time: alone, and beside six that each ask for 20 slow ones. */
export async function measureWait(parts: WaitParts): Promise<Wait> {
  for (let attempt = 1; ; attempt++) {
    const { problems, ...wait } = await measureOnce(parts);
    const isFair = wait.besideMs <= FAIR_RATIO * wait.aloneMs;
    if (!isFair && problems.length === 0 && attempt < ATTEMPTS) continue;
    const [alone, beside] = [wait.aloneMs.toFixed(0), wait.besideMs.toFixed(0)];
    const unfair = `the seventh client waits ${beside} ms beside others, and ${alone} ms alone`;
    return { ...wait, problems: isFair ? problems : [...problems, unfair] };
  }
}

async function measureOnce({ goodUrl, slowUrls, clients }: WaitParts): Promise<Wait> {
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
        problems.push(`the seventh client received ${JSON.stringify(reply).slice(0, 300)}`);
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
  return { aloneMs, besideMs, problems };
}
