import { expect, test } from 'bun:test';
import { createLogger } from '#src/core/base/logger.ts';
import type { LimiterServer, LimiterTerm, RedisLink } from '#src/parts/fleet/limiter/redis-link.ts';
import { createLimiterTerms } from '#src/parts/fleet/limiter/redis-windows.ts';
import { limiterAddress } from '#src/service/server/limiter/limiter-address.ts';
import { WINDOW_MS } from '#src/service/server/limiter/rate-limit.ts';
import { createHeldClock } from '#test/support/held-clock.ts';

const NEVER: LimiterTerm = { number: 0, server: '' };

function serverAt(url: string): LimiterServer {
  const address = limiterAddress.read([url]);
  if (address === null) throw new Error(url);
  return { address, authorities: [] };
}

const [ONE, OTHER] = [serverAt('redis://127.0.0.1:6001'), serverAt('redis://127.0.0.1:6002')];

/** A server that is reached, and what it stores. */
function reached(server: LimiterServer, stored: LimiterTerm = NEVER) {
  const written: LimiterTerm[] = [];
  const link: RedisLink = {
    take: () => Promise.reject(new Error('not asked')),
    readTerm: () => Promise.resolve(stored),
    async writeTerm(term) {
      written.push(term);
    },
    [Symbol.dispose]() {},
  };
  return { server, link, term: stored, written };
}

function createTerms() {
  const clock = createHeldClock();
  const outdated: string[] = [];
  const logger = createLogger('info', (line) => {
    const { event, limiter } = JSON.parse(line);
    if (event === 'limiter.outdated') outdated.push(limiter);
  });
  return { clock, outdated, terms: createLimiterTerms(logger, clock) };
}

const shownOf = ({ address }: LimiterServer) => address.withoutPassword;

test('of several writable servers the one with the highest term is used, and the others are logged once', () => {
  const { terms, outdated } = createTerms();
  const [low, high] = [reached(ONE, { number: 1, server: '' }), reached(OTHER, { number: 2, server: '' })];
  expect(terms.hasOutdated).toBeFalse();
  expect(terms.choose([low, high])?.server).toBe(OTHER);
  expect(terms.choose([low, high])?.server).toBe(OTHER);
  expect([outdated, terms.hasOutdated]).toEqual([[shownOf(ONE)], true]);
  expect(terms.choose([high])?.server).toBe(OTHER);
  expect(terms.hasOutdated).toBeFalse();
  expect(terms.choose([low, high])?.server).toBe(OTHER);
  expect(outdated).toEqual([shownOf(ONE), shownOf(ONE)]);
  expect(terms.choose([])).toBeNull();
});

test('of two servers with equal terms the first configured one is used', () => {
  expect(createTerms().terms.choose([reached(ONE), reached(OTHER)])?.server).toBe(ONE);
});

test('a server that takes over writes a term above all others, and the server in use writes none', async () => {
  const unused = reached(ONE);
  await createTerms().terms.claim(unused);
  expect(unused.written).toEqual([{ number: 1, server: shownOf(ONE) }]);
  const { terms } = createTerms();
  const first = reached(ONE, { number: 4, server: shownOf(OTHER) });
  await terms.claim(first);
  expect(first.written).toEqual([{ number: 5, server: shownOf(ONE) }]);
  const again = reached(ONE, { number: 5, server: shownOf(ONE) });
  await terms.claim(again);
  expect(again.written).toEqual([]);
  const emptied = reached(ONE, { number: 0, server: shownOf(ONE) });
  await terms.claim(emptied);
  expect(emptied.written).toEqual([{ number: 5, server: shownOf(ONE) }]);
  const next = reached(OTHER, { number: 5, server: shownOf(ONE) });
  await terms.claim(next);
  expect(next.written).toEqual([{ number: 6, server: shownOf(OTHER) }]);
});

test('a single server needs no term', async () => {
  const { terms } = createTerms();
  const only = { ...reached(ONE), term: null };
  await terms.claim(only);
  expect(only.written).toEqual([]);
  expect(terms.choose([only])?.server).toBe(ONE);
});

test('a former primary is used again after this node has lost the other server for more than a window', async () => {
  const { terms, clock, outdated } = createTerms();
  await terms.claim(reached(ONE, { number: 3, server: shownOf(ONE) }));
  const former = reached(OTHER, { number: 2, server: shownOf(OTHER) });
  clock.nowMs = 10 * WINDOW_MS;
  expect(terms.choose([former])).toBeNull();
  expect([outdated, terms.hasOutdated]).toEqual([[shownOf(OTHER)], true]);
  terms.noteLost();
  clock.nowMs += WINDOW_MS;
  expect(terms.choose([former])).toBeNull();
  clock.nowMs += 1;
  expect(terms.choose([former])?.server).toBe(OTHER);
});

test.each([3, 4])('a server with the term %d replaces one with the term 3 at once', async (number) => {
  const { terms } = createTerms();
  await terms.claim(reached(ONE, { number: 3, server: shownOf(ONE) }));
  expect(terms.choose([reached(OTHER, { number, server: shownOf(OTHER) })])?.server).toBe(OTHER);
});

test('the server in use stays in use after it has lost its data', async () => {
  const { terms } = createTerms();
  await terms.claim(reached(ONE, { number: 3, server: shownOf(ONE) }));
  expect(terms.choose([reached(ONE)])?.server).toBe(ONE);
});

test('if the server in use becomes a replica, another one replaces it at once', async () => {
  const { terms } = createTerms();
  await terms.claim(reached(ONE, { number: 3, server: shownOf(ONE) }));
  terms.noteReplica(OTHER);
  expect(terms.choose([reached(OTHER)])).toBeNull();
  terms.noteReplica(ONE);
  expect(terms.choose([reached(OTHER)])?.server).toBe(OTHER);
});
