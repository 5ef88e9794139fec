import type { Clock } from '#src/core/base/clock.ts';
import { UnavailableError } from '#src/core/base/refusal.ts';
import type { CheckSettings } from './settings.ts';
import { type ClientName, createTurns } from './fair-queue.ts';

/** What asks for a place. */
export interface AdmissionRequest {
  /** Requests with equal keys, of whichever clients, get the same value where they are under way together. */
  readonly key: string;
  /** Who asks; null for the operator's own command line, which has all places and waits for as long as it takes. */
  readonly client: ClientName;
}

/**
 * Lets checks look at the network, a bounded number at a time, and the clients in turn: who asks for much waits for
 * itself, and holds up nobody who asks for little.
 */
export interface Admission<T> {
  /**
   * @param look gets the milliseconds that are left to it: the deadline counts from here on, not from its turn.
   * @throws UnavailableError `overloaded`, before anything is looked at, where its turn would come too late.
   */
  run(request: AdmissionRequest, look: (leftMs: number) => Promise<T>): Promise<T>;
  /** How busy it is now. */
  load(): AdmissionLoad;
}

/** Looks at the network, now. */
export interface AdmissionLoad {
  readonly underWay: number;
  readonly waiting: number;
}

/** How much may be under way, and how much may wait for its turn. */
export type AdmissionBounds = Pick<
  CheckSettings,
  'check_concurrency' | 'client_concurrency' | 'queue_length' | 'deadline_seconds'
>;

/** The share of its time that a check may wait: what is left must be enough to see most pages. */
const WAITING_SHARE = 0.5;
/** One client's share of the queue. */
const QUEUE_SHARE = 0.25;
/** How much the latest look counts in the mean of how long looks take. */
const LATEST = 0.3;

/** A look that is under way. */
interface Look {
  readonly name: ClientName;
  readonly began: number;
  /** When its deadline strikes. */
  readonly endsBy: number;
}

interface Waiting<T> {
  readonly key: string;
  readonly since: number;
  readonly look: (leftMs: number) => Promise<T>;
  readonly settle: PromiseWithResolvers<T>;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

/** Nobody is under way yet. */
export function createAdmission<T>(bounds: AdmissionBounds, clock: Clock): Admission<T> {
  const turns = createTurns<Waiting<T>>({ ofAll: bounds.check_concurrency, ofOne: bounds.client_concurrency });
  const deadlineMs = bounds.deadline_seconds * 1000;
  const underWay = new Map<string, Promise<T>>();
  const looks = new Set<Look>();
  let meanMs = 0;

  /**
   * Looks, in a place that was taken for this client; whoever leaves gives it to the next. Whoever waits for the same
   * look gets what this one brings.
   */
  function start(name: ClientName, { key, since, look }: Pick<Waiting<T>, 'key' | 'since' | 'look'>): Promise<T> {
    const began = clock.monotonicMs();
    const leftMs = name === null ? deadlineMs : deadlineMs - (began - since);
    const taken: Look = { name, began, endsBy: began + leftMs };
    looks.add(taken);
    const looked = look(leftMs).finally(() => {
      looks.delete(taken);
      meanMs += LATEST * (clock.monotonicMs() - began - meanMs);
      underWay.delete(key);
      turns.leave(name);
      startWaiting();
    });
    underWay.set(key, looked);
    for (const [other, one] of [...turns.all()]) {
      if (one.key !== key) continue;
      turns.forget(other, one);
      answer(one, looked);
    }
    return looked;
  }

  function startWaiting(): void {
    for (let turn = turns.next(); turn !== null; turn = turns.next()) answer(turn.one, start(turn.name, turn.one));
  }

  /** How long a look will hold its place: as long as looks do, and once it has taken that, until its deadline. */
  function leftOf({ began, endsBy }: Look, now: number): number {
    const left = Math.max(0, endsBy - now);
    return now - began < meanMs ? Math.min(left, meanMs - (now - began)) : left;
  }

  /** In how many milliseconds a client's next check would have a place; those of its own that wait go first. */
  function untilPlace(name: ClientName): number {
    const own = [...looks].filter((look) => look.name === name);
    const holding = own.length < turns.placesOf(name) ? [...looks] : own;
    const now = clock.monotonicMs();
    const left = holding.map((look) => leftOf(look, now)).sort((a, b) => a - b);
    const before = turns.waitingOf(name);
    const rounds = Math.floor(before / Math.max(1, left.length));
    return (left[before % left.length] ?? 0) + rounds * (meanMs || deadlineMs);
  }

  function overloaded(name: ClientName): UnavailableError {
    const seconds = Math.max(1, Math.ceil(Math.min(untilPlace(name), deadlineMs) / 1000));
    return new UnavailableError('overloaded', `Too many checks are under way. Try again in ${seconds} s.`, seconds);
  }

  /** Whether a client's next check would wait in vain, or be one too many. */
  function isHopeless(name: ClientName): boolean {
    if (name === null) return false;
    const share = Math.ceil(bounds.queue_length * QUEUE_SHARE);
    const isFull = turns.waiting >= bounds.queue_length || turns.waitingOf(name) >= share;
    return isFull || turns.roundsFor(name) * meanMs > deadlineMs * WAITING_SHARE;
  }

  function waitForTurn(name: ClientName, request: Pick<Waiting<T>, 'key' | 'since' | 'look'>): Promise<T> {
    const settle = Promise.withResolvers<T>();
    const giveUp = () => {
      turns.forget(name, one);
      settle.reject(overloaded(name));
    };
    const timer = name === null ? undefined : setTimeout(giveUp, deadlineMs * WAITING_SHARE);
    const one: Waiting<T> = { ...request, settle, timer };
    turns.wait(name, one);
    return settle.promise;
  }

  return {
    async run({ key, client }, look) {
      const shared = underWay.get(key);
      if (shared !== undefined) return await shared;
      const request = { key, since: clock.monotonicMs(), look };
      if (turns.tryEnter(client)) return await start(client, request);
      if (isHopeless(client)) throw overloaded(client);
      return await waitForTurn(client, request);
    },
    load: () => ({ underWay: turns.inside, waiting: turns.waiting }),
  };
}

function answer<T>({ settle, timer }: Waiting<T>, looked: Promise<T>): void {
  clearTimeout(timer);
  looked.then(settle.resolve, settle.reject);
}
