import { expect, test } from 'bun:test';
import { type ClientName, createTurns } from '#src/check/turns.ts';
import { createRandom } from '#test/support/random.ts';

const PLACES = { ofAll: 16, ofOne: 4 };

test('a client has no more places than its own, and the operator all of them', () => {
  const turns = createTurns(PLACES);
  const count = (name: ClientName) => Array.from({ length: 40 }, () => turns.tryEnter(name)).filter(Boolean).length;
  expect(count('a')).toBe(4);
  expect(count(null)).toBe(12);
});

test('who has nothing under way finds a place when others have taken all, up to as many again', () => {
  const turns = createTurns(PLACES);
  for (const name of ['a', 'b', 'c', 'd']) for (let i = 0; i < 4; i++) expect(turns.tryEnter(name)).toBe(true);
  expect(turns.tryEnter('e')).toBe(true);
  expect(turns.tryEnter('e')).toBe(false);
  for (let i = 1; i < 16; i++) expect(turns.tryEnter(`f${i}`)).toBe(true);
  expect(turns.tryEnter('g')).toBe(false);
});

test('clients that wait go round, each in its own order', () => {
  const turns = createTurns<string>({ ofAll: 1, ofOne: 1 });
  expect(turns.tryEnter('x')).toBe(true);
  expect(turns.tryEnter('y')).toBe(true);
  for (const one of ['a1', 'a2', 'a3']) turns.wait('a', one);
  for (const one of ['b1', 'b2']) turns.wait('b', one);
  turns.leave('x');
  turns.leave('y');
  const order: string[] = [];
  // Two places: one, and one beyond for whom nothing is under way.
  for (let inside = [turns.next(), turns.next()]; inside.some(Boolean); inside = [turns.next(), turns.next()]) {
    for (const turn of inside) {
      if (!turn) continue;
      order.push(turn.one);
      turns.leave(turn.name);
    }
  }
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  expect(turns.waiting).toBe(0);
});

test('one that waits in front of another of its client keeps that from entering before it', () => {
  const turns = createTurns<string>({ ofAll: 2, ofOne: 1 });
  expect(turns.tryEnter('a')).toBe(true);
  turns.wait('a', 'first');
  turns.leave('a');
  expect(turns.tryEnter('a')).toBe(false);
  expect(turns.next()).toEqual({ name: 'a', one: 'first' });
});

test('whatever happens, no client exceeds its places, nobody is lost, and who may start is not left waiting', () => {
  const random = createRandom(22);
  const turns = createTurns<number>({ ofAll: 3, ofOne: 2 });
  const names = ['a', 'b', 'c', 'd', 'e'];
  const inside = new Map<ClientName, number>();
  const waiting = new Map<number, ClientName>();
  const enter = (name: ClientName) => inside.set(name, (inside.get(name) ?? 0) + 1);
  for (let step = 0; step < 5000; step++) {
    const name = random.pick(names);
    const action = random.below(4);
    if (action === 0) {
      if (turns.tryEnter(name)) enter(name);
      else {
        turns.wait(name, step);
        waiting.set(step, name);
      }
    } else if (action === 1) {
      const [one, owner] = random.pick([...waiting, [-1, name] as const]);
      turns.forget(owner, one);
      waiting.delete(one);
    } else if ((inside.get(name) ?? 0) > 0) {
      turns.leave(name);
      inside.set(name, (inside.get(name) ?? 0) - 1);
      for (let turn = turns.next(); turn; turn = turns.next()) {
        expect(waiting.get(turn.one)).toBe(turn.name);
        waiting.delete(turn.one);
        enter(turn.name);
      }
    }
    const total = [...inside.values()].reduce((sum, count) => sum + count, 0);
    expect(Math.max(0, ...inside.values())).toBeLessThanOrEqual(2);
    expect(total).toBeLessThanOrEqual(6);
    expect(turns.waiting).toBe(waiting.size);
    expect(new Map([...turns.all()].map(([owner, one]) => [one, owner]))).toEqual(waiting);
  }
});
