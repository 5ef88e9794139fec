import type { Clock } from '#src/core/base/clock.ts';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import type { CheckSettings } from './settings.ts';

/** Request for a slot. */
export interface AdmissionRequest {
  /** Concurrent requests with equal keys share one result, whichever clients sent them. */
  readonly key: string;
  /** Client that asks; null for the command line, which may use all slots and waits without limit. */
  readonly client: ClientName;
}

/**
 * Limits how many checks use the network at a time, and serves the clients in turn: a client with many requests waits
 * for itself and delays no other.
 */
export interface Admission<T> {
  /**
   * @param observe gets the milliseconds left before the deadline, which includes the time in the queue except for the
   * operator.
   * @throws UnavailableError `overloaded` if the wait would be too long; nothing has been observed then
   */
  run(request: AdmissionRequest, observe: (leftMs: number) => Promise<T>): Promise<T>;
  /** Returns the current load. */
  load(): AdmissionLoad;
}

/** Number of observations in progress and in the queue. */
export interface AdmissionLoad {
  readonly underWay: number;
  readonly waiting: number;
}

/** Limits of concurrency and queue length. */
export type AdmissionBounds = Pick<
  CheckSettings,
  'check_concurrency' | 'client_concurrency' | 'queue_length' | 'deadline_seconds'
>;

/** Maximum share of the deadline that a check may spend in the queue; the rest must suffice for most pages. */
const WAITING_SHARE = 0.5;
/** Maximum share of the queue for one client. */
const QUEUE_SHARE = 0.25;
/** Weight of the latest duration in the moving average. */
const LATEST = 0.3;

/** An observation in progress. */
interface Observing {
  readonly name: ClientName;
  readonly began: number;
  /** When its deadline expires, on the monotonic clock. */
  readonly endsBy: number;
}

interface Waiting<T> {
  readonly key: string;
  readonly since: number;
  readonly observe: (leftMs: number) => Promise<T>;
  readonly settle: PromiseWithResolvers<T>;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

/** Creates an idle admission. */
export function createAdmission<T>(bounds: AdmissionBounds, clock: Clock): Admission<T> {
  const turns = createFairQueue<Waiting<T>>({
    ofAll: bounds.check_concurrency,
    ofOne: bounds.client_concurrency,
    spare: bounds.check_concurrency,
  });
  const deadlineMs = bounds.deadline_seconds * 1000;
  const underWay = new Map<string, Promise<T>>();
  const inProgress = new Set<Observing>();
  let meanMs = 0;

  /**
   * Starts an observation in the slot taken for this client. Queued requests with the same key get its result, and the
   * slot goes to the next request in the queue.
   */
  function start(name: ClientName, { key, since, observe }: Pick<Waiting<T>, 'key' | 'since' | 'observe'>): Promise<T> {
    const began = clock.monotonicMs();
    const leftMs = name === null ? deadlineMs : deadlineMs - (began - since);
    const taken: Observing = { name, began, endsBy: began + leftMs };
    inProgress.add(taken);
    const observed = observe(leftMs).finally(() => {
      inProgress.delete(taken);
      meanMs += LATEST * (clock.monotonicMs() - began - meanMs);
      underWay.delete(key);
      turns.leave(name);
      startWaiting();
    });
    underWay.set(key, observed);
    for (const [other, one] of [...turns.all()]) {
      if (one.key !== key) continue;
      turns.forget(other, one);
      answer(one, observed);
    }
    return observed;
  }

  function startWaiting(): void {
    for (let turn = turns.next(); turn !== null; turn = turns.next()) answer(turn.one, start(turn.name, turn.one));
  }

  /**
   * Estimates how long an observation keeps its slot: the average duration, or until its deadline once it has taken
   * longer.
   */
  function leftOf({ began, endsBy }: Observing, now: number): number {
    const left = Math.max(0, endsBy - now);
    return now - began < meanMs ? Math.min(left, meanMs - (now - began)) : left;
  }

  /** Estimates the milliseconds until the client's next check gets a slot; the client's queued checks go first. */
  function untilPlace(name: ClientName): number {
    const own = [...inProgress].filter((observe) => observe.name === name);
    const holding = own.length < turns.placesOf(name) ? [...inProgress] : own;
    const now = clock.monotonicMs();
    const left = holding.map((observe) => leftOf(observe, now)).sort((a, b) => a - b);
    const before = turns.waitingOf(name);
    const rounds = Math.floor(before / Math.max(1, left.length));
    return (left[before % left.length] ?? 0) + rounds * (meanMs || deadlineMs);
  }

  function overloaded(name: ClientName): UnavailableError {
    const seconds = Math.max(1, Math.ceil(Math.min(untilPlace(name), deadlineMs) / 1000));
    return new UnavailableError('overloaded', `Too many checks are in progress. Try again in ${seconds} s.`, seconds);
  }

  /** Returns true if the queue is full for this client, or its next check would wait too long. */
  function isOverloaded(name: ClientName): boolean {
    if (name === null) return false;
    const share = Math.ceil(bounds.queue_length * QUEUE_SHARE);
    const isFull = turns.waiting >= bounds.queue_length || turns.waitingOf(name) >= share;
    return isFull || turns.roundsFor(name) * meanMs > deadlineMs * WAITING_SHARE;
  }

  function waitForTurn(name: ClientName, request: Pick<Waiting<T>, 'key' | 'since' | 'observe'>): Promise<T> {
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
    async run({ key, client }, observe) {
      const shared = underWay.get(key);
      if (shared !== undefined) return await shared;
      const request = { key, since: clock.monotonicMs(), observe };
      if (turns.tryEnter(client)) return await start(client, request);
      if (isOverloaded(client)) throw overloaded(client);
      return await waitForTurn(client, request);
    },
    load: () => ({ underWay: turns.inside, waiting: turns.waiting }),
  };
}

function answer<T>({ settle, timer }: Waiting<T>, observed: Promise<T>): void {
  clearTimeout(timer);
  observed.then(settle.resolve, settle.reject);
}

/** Client's key, or null for the operator's command line. */
export type ClientName = string | null;

/** Number of slots. */
interface Places {
  readonly ofAll: number;
  /** Per client; the operator may use all. */
  readonly ofOne: number;
  /** Further slots for clients without one, so that slow work of others does not delay them. */
  readonly spare: number;
}

/**
 * Queue that serves clients round-robin and each client in its own order, so that no client waits for another's
 * backlog.
 */
interface FairQueue<T> {
  /** Slots in use. */
  readonly inside: number;
  /** Queued items. */
  readonly waiting: number;
  waitingOf(name: ClientName): number;
  /** Slots that a client may use. */
  placesOf(name: ClientName): number;
  /** Number of full rounds of the client's slots ahead of its next item. */
  roundsFor(name: ClientName): number;
  /** Takes a slot; false if none is free for this client, or the client has queued items. */
  tryEnter(name: ClientName): boolean;
  leave(name: ClientName): void;
  wait(name: ClientName, one: T): void;
  /** Removes an item from the queue. */
  forget(name: ClientName, one: T): void;
  /** Takes a slot for the next item in turn; null if none may start. */
  next(): { readonly name: ClientName; readonly one: T } | null;
  /** Returns all queued items. */
  all(): IterableIterator<readonly [ClientName, T]>;
}

interface Client<T> {
  inside: number;
  readonly waiting: Set<T>;
}

/** Creates an empty queue. */
export function createFairQueue<T>({ ofAll, ofOne, spare }: Places): FairQueue<T> {
  // The next client in turn comes first; a served client moves to the end.
  const clients = new Map<ClientName, Client<T>>();
  let inside = 0;
  let waiting = 0;

  const placesOf = (name: ClientName) => (name === null ? ofAll : Math.min(ofOne, ofAll));

  function hasPlace(name: ClientName, client: Client<T> | undefined): boolean {
    const own = client?.inside ?? 0;
    return own < placesOf(name) && (inside < ofAll || (own === 0 && inside < ofAll + spare));
  }

  function enter(name: ClientName): void {
    const client = clients.get(name) ?? { inside: 0, waiting: new Set<T>() };
    client.inside++;
    inside++;
    clients.delete(name);
    clients.set(name, client);
  }

  function forget(name: ClientName, one: T): void {
    const client = clients.get(name);
    if (client?.waiting.delete(one)) waiting--;
    if (client?.inside === 0 && client.waiting.size === 0) clients.delete(name);
  }

  return {
    get inside() {
      return inside;
    },
    get waiting() {
      return waiting;
    },
    placesOf,
    waitingOf: (name) => clients.get(name)?.waiting.size ?? 0,
    roundsFor(name) {
      const client = clients.get(name);
      return client ? Math.floor((client.inside + client.waiting.size) / placesOf(name)) : 0;
    },
    tryEnter(name) {
      const client = clients.get(name);
      if ((client?.waiting.size ?? 0) > 0 || !hasPlace(name, client)) return false;
      enter(name);
      return true;
    },
    leave(name) {
      const client = clients.get(name);
      if (!client) return;
      client.inside--;
      inside--;
      if (client.inside === 0 && client.waiting.size === 0) clients.delete(name);
    },
    wait(name, one) {
      const client = clients.get(name) ?? { inside: 0, waiting: new Set<T>() };
      clients.set(name, client);
      client.waiting.add(one);
      waiting++;
    },
    forget,
    next() {
      for (const [name, client] of clients) {
        const [one] = client.waiting;
        if (one === undefined || !hasPlace(name, client)) continue;
        enter(name);
        forget(name, one);
        return { name, one };
      }
      return null;
    },
    *all() {
      for (const [name, client] of clients) for (const one of client.waiting) yield [name, one] as const;
    },
  };
}
