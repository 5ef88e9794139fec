import type { Visibility } from '#src/core/base/visibility.ts';
import { clientAddress } from './addresses.ts';
import { ask, type Reply } from './ask.ts';
import type { Ledger } from './ledger.ts';
import type { LimitWatch } from './limit-watch.ts';
import type { Lives } from './lives.ts';
import { offence } from './load.ts';
import { type MixParts, nextOfMix } from './mix.ts';

/** Everybody who asks the service for something; each `send…` is one request. */
export interface Clients {
  /** Whatever a service meets, each from an address that was never there before. */
  sendMixed(): Promise<void>;
  /** From such an address, too, what is refused without further ado: many can come. */
  sendNewcomer(): Promise<void>;
  /** From one of a few addresses. */
  sendGreedy(): Promise<void>;
  /** Opens a check in the ledger, and notes what came of it. */
  open(visibility: Visibility): number;
  note(reply: Reply, number?: number): void;
  /** Addresses that were answered, each once; the few aside. */
  readonly addresses: number;
  /** Requests by what they were told: a status, `left`, `cut`. */
  readonly answers: Readonly<Record<string, number>>;
}

/** What clients act on, and where they tell what should not be. */
export interface ClientParts extends Omit<MixParts, 'open'> {
  readonly lives: Lives;
  readonly ledger: Ledger;
  readonly limits: LimitWatch;
  readonly violate: (what: string) => void;
}

/** How many ask on and on, from addresses behind those of all others. */
const GREEDY = 3;
const GREEDY_FROM = 16_000_000;

const REFUSED = { method: 'POST', path: '/api/check-url', body: '{"url":"ftp://newcomer.example/"}' } as const;

export function createClients({ random, urls, lives, ledger, limits, violate }: ClientParts): Clients {
  const answers: Record<string, number> = {};
  let next = 0;
  let addresses = 0;
  let greedyTurn = 0;

  function note(reply: Reply, number?: number, isUnfinished = false): void {
    const kind = reply.kind === 'answered' ? String(reply.status) : reply.kind;
    answers[kind] = (answers[kind] ?? 0) + 1;
    const wrong = offence(reply) ?? (number === undefined ? null : ledger.close(number, reply));
    if (wrong !== null && !(reply.kind === 'silent' && lives.explains(reply))) violate(wrong);
    // Who never ends a request is cut off in the end.
    if (reply.kind === 'cut' && !isUnfinished && !lives.explains(reply)) {
      violate(`cut without an answer: ${reply.problem}`);
    }
  }

  return {
    open: ledger.open,
    note,
    answers,
    get addresses() {
      return addresses;
    },
    async sendMixed() {
      const { number, isBad, ...request } = nextOfMix({ random, urls, open: ledger.open });
      const reply = await ask({ ...request, from: clientAddress(next++) });
      note(reply, number, request.isUnfinished);
      if (reply.kind !== 'answered') return;
      addresses++;
      if (isBad && reply.status < 400) violate(`a bad request was told ${reply.status}`);
      if (!isBad && reply.status >= 400 && reply.status !== 503) {
        violate(`a good request was told ${reply.status}: ${reply.body.slice(0, 300)}`);
      }
    },
    async sendNewcomer() {
      const reply = await ask({ ...REFUSED, from: clientAddress(next++) });
      note(reply);
      if (reply.kind !== 'answered') return;
      addresses++;
      if (reply.status !== 400 && reply.status !== 503) violate(`a newcomer was told ${reply.status}`);
    },
    async sendGreedy() {
      const from = clientAddress(GREEDY_FROM + (greedyTurn++ % GREEDY));
      const { count, isUp } = lives;
      const reply = await ask({ ...REFUSED, from });
      note(reply);
      // While one life follows another, nobody knows which of the two admitted it.
      if (isUp && lives.isUp && lives.count === count) limits.note(from, count, reply);
    },
  };
}
