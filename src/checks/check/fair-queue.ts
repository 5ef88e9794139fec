/** Who is counted: a client's key, or null for the operator's own command line. */
export type ClientName = string | null;

/** How many may be under way. */
export interface Places {
  readonly ofAll: number;
  /** Of one client; the operator may take all. */
  readonly ofOne: number;
}

/** Whose turn it is: the clients go round, each in its own order, so that nobody waits for what another client asked for. */
export interface Turns<T> {
  /** How many are inside in all. */
  readonly inside: number;
  /** How many wait in all. */
  readonly waiting: number;
  waitingOf(name: ClientName): number;
  /** How many a client may have inside. */
  placesOf(name: ClientName): number;
  /** How many rounds a client's next one waits for those that it has under way or waiting. */
  roundsFor(name: ClientName): number;
  /** Takes a place; false where there is none for this client now, or others of it wait already. */
  tryEnter(name: ClientName): boolean;
  leave(name: ClientName): void;
  wait(name: ClientName, one: T): void;
  /** One that waited waits no more. */
  forget(name: ClientName, one: T): void;
  /** Gives a place to whoever's turn it is; null where nobody waits who may start. */
  next(): { readonly name: ClientName; readonly one: T } | null;
  /** Everything that waits. */
  all(): IterableIterator<readonly [ClientName, T]>;
}

interface Client<T> {
  inside: number;
  readonly waiting: Set<T>;
}

/** Nobody is inside yet. */
export function createTurns<T>({ ofAll, ofOne }: Places): Turns<T> {
  // Whose turn it is comes first; who has had it goes to the end.
  const clients = new Map<ClientName, Client<T>>();
  let inside = 0;
  let waiting = 0;

  const placesOf = (name: ClientName) => (name === null ? ofAll : Math.min(ofOne, ofAll));

  /**
   * A client with nothing under way gets a place beyond the bound, of which there are as many again: the slow checks of
   * others do not hold it up.
   */
  function hasPlace(name: ClientName, client: Client<T> | undefined): boolean {
    const own = client?.inside ?? 0;
    return own < placesOf(name) && (inside < ofAll || (own === 0 && inside < 2 * ofAll));
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
