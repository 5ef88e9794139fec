import { beforeAll, describe, expect, test } from 'bun:test';
import { executable } from '#test/support/executable.ts';
import { PUBLIC } from '#test/support/place.ts';
import { runInNamespace } from './namespace.ts';

/** How long checks may take: until the slow sites are let go, or so short that most can't have their turn in time. */
export type Patience = 'long' | 'short';

/** What became of six clients' slow checks, 20 each, and of a seventh's good ones. */
export interface FairShares {
  /** The seventh alone, then in the crowd. */
  readonly good: readonly {
    readonly medianMs: number;
    /** Processor time of the service, in 10 ms. */
    readonly ticks: number;
    /** Answers that tell of the page. */
    readonly seen: number;
  }[];
  readonly goodChecks: number;
  /** Slow checks that ended while the seventh was served. */
  readonly slowTurnsWaitedFor: number;
  /** The crowd's answers by status; 0 is a connection that was cut without one. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Refusals that do not say when to try again. */
  readonly withoutRetryAfter: number;
  /** Slow checks in the log. */
  readonly inHistory: number;
}

const SITES = PUBLIC.siteAddress(0);
const BOX = '10.7.0.100';
/** Of the crowd. */
const CHECKS = 120;
const CLIENTS = Array.from({ length: 7 }, (_, i) => `10.7.0.${i + 1}`);

/** How many of the crowd's checks were answered; all the others were refused and told when to try again, and are in no log. */
function answeredOf({ statuses = {}, withoutRetryAfter, inHistory }: Partial<FairShares> = {}): number {
  const { 200: answered = 0, 503: refused = 0, ...others } = statuses;
  expect({ others, withoutRetryAfter, inHistory }).toEqual({ others: {}, withoutRetryAfter: 0, inHistory: answered });
  expect(answered + refused).toBe(CHECKS);
  return answered;
}

describe('with twenty checks of unresponsive sites by each of six clients', () => {
  let shares: Partial<Record<Patience, FairShares>> = {};
  beforeAll(async () => {
    await executable();
    shares = (await runInNamespace('fair-shares-inside.ts', {
      addresses: [PUBLIC.resolver, SITES, BOX, ...CLIENTS],
      args: [SITES, BOX, ...CLIENTS],
    })) as Record<Patience, FairShares>;
  });

  // The slow sites answer only after the seventh is served: had it waited for one turn of theirs, it would not be. So the
  // time is what the crowd costs otherwise. Its allowance is for whoever else shares the machine.
  test('a check by a seventh client of a good site at the same address does not wait, and takes at most twice as long', () => {
    const { good: [alone, inCrowd] = [], goodChecks, slowTurnsWaitedFor } = shares.long ?? {};
    expect(slowTurnsWaitedFor).toBe(0);
    expect([alone?.seen, inCrowd?.seen]).toEqual([goodChecks, goodChecks]);
    expect(inCrowd?.medianMs).toBeLessThan(2 * (alone?.medianMs ?? 0) + 100);
    expect(inCrowd?.ticks).toBeLessThanOrEqual(2 * (alone?.ticks ?? 0) + 5);
  });

  test('each of their checks is answered once its site responds, or refused at once if the queue is full', () => {
    // A hundred wait; sixteen look, and of each client that came too late to be among them, one beyond.
    expect([116, 117, 118]).toContain(answeredOf(shares.long));
  });

  test('no connection is cut if most checks cannot start in time, and every logged check was answered', () => {
    const answered = answeredOf(shares.short);
    expect([answered >= 16, answered < CHECKS]).toEqual([true, true]);
  });
});
