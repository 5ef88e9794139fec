/** Client's key, or null for the operator's command line. */
export type ClientName = string | null;

/** Number of slots. */
export interface Places {
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
export interface FairQueue<T> {
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
