import { expect, test } from 'bun:test';
import { type ClientName, createFairQueue } from '#src/checks/check/admission.ts';
import { createRandom } from '#test/support/random.ts';

const PLACES = { ofAll: 16, ofOne: 4, spare: 16 };

test('limits a client to its own slots, and lets the operator use all', () => {
  const queue = createFairQueue(PLACES);
  const count = (name: ClientName) => Array.from({ length: 40 }, () => queue.tryEnter(name)).filter(Boolean).length;
  expect(count('a')).toBe(4);
  expect(count(null)).toBe(12);
});

test('gives a client without a slot one beyond the limit, up to the spare slots', () => {
  const queue = createFairQueue(PLACES);
  for (const name of ['a', 'b', 'c', 'd']) for (let i = 0; i < 4; i++) expect(queue.tryEnter(name)).toBe(true);
  expect(queue.tryEnter('e')).toBe(true);
  expect(queue.tryEnter('e')).toBe(false);
  for (let i = 1; i < 16; i++) expect(queue.tryEnter(`f${i}`)).toBe(true);
  expect(queue.tryEnter('g')).toBe(false);
});

test('without spare slots never exceeds the limit, and serves the next client once one is free', () => {
  const queue = createFairQueue<string>({ ofAll: 2, ofOne: 2, spare: 0 });
  expect(['a', 'a', 'b', 'c', null].map((name) => queue.tryEnter(name))).toEqual([true, true, false, false, false]);
  queue.wait('b', 'of b');
  expect(queue.next()).toBeNull();
  queue.leave('a');
  expect([queue.next()?.one, queue.inside]).toEqual(['of b', 2]);
});

test('serves waiting clients round-robin, each in its own order', () => {
  const queue = createFairQueue<string>({ ofAll: 1, ofOne: 1, spare: 1 });
  // Two slots: one, and one beyond the limit for a client without a slot.
  const inside: ClientName[] = ['x', 'y'];
  for (const name of inside) expect(queue.tryEnter(name)).toBe(true);
  for (const name of ['a', 'b', 'c']) for (const at of [1, 2]) queue.wait(name, `${name}${at}`);
  const order: string[] = [];
  for (let name = inside.shift(); name !== undefined; name = inside.shift()) {
    queue.leave(name);
    const turn = queue.next();
    if (!turn) continue;
    order.push(turn.one);
    inside.push(turn.name);
  }
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  expect(queue.waiting).toBe(0);
});

test('gives no better turn to a client that left or gave up before', () => {
  const queue = createFairQueue<string>({ ofAll: 1, ofOne: 1, spare: 1 });
  const openWith = (name: ClientName) => expect(queue.tryEnter(name)).toBe(true);
  openWith('left');
  queue.leave('left');
  openWith('x');
  openWith('y');
  queue.wait('gave up', 'g1');
  queue.forget('gave up', 'g1');
  for (const name of ['new', 'gave up', 'left']) queue.wait(name, name);
  const order = ['x', 'y', 'new'].map((name) => {
    queue.leave(name);
    return queue.next()?.name;
  });
  expect(order).toEqual(['new', 'gave up', 'left']);
});

test('lets no item of a client overtake an earlier one', () => {
  const queue = createFairQueue<string>({ ofAll: 2, ofOne: 1, spare: 2 });
  expect(queue.tryEnter('a')).toBe(true);
  queue.wait('a', 'first');
  queue.leave('a');
  expect(queue.tryEnter('a')).toBe(false);
  expect(queue.next()).toEqual({ name: 'a', one: 'first' });
});

test('keeps the other items of a client that removes one', () => {
  const queue = createFairQueue<string>({ ofAll: 1, ofOne: 1, spare: 1 });
  for (const name of ['x', 'y']) expect(queue.tryEnter(name)).toBe(true);
  for (const one of ['a1', 'a2']) queue.wait('a', one);
  queue.forget('a', 'a1');
  expect([...queue.all()]).toEqual([['a', 'a2']]);
});

test('counts the rounds that a client waits for its own items', () => {
  const queue = createFairQueue<string>({ ofAll: 16, ofOne: 2, spare: 16 });
  expect([queue.roundsFor('a'), queue.waitingOf('a')]).toEqual([0, 0]);
  for (const one of ['a1', 'a2', 'a3', 'a4', 'a5']) if (!queue.tryEnter('a')) queue.wait('a', one);
  expect(queue.waitingOf('a')).toBe(3);
  expect(queue.roundsFor('a')).toBe(2);
  queue.wait('a', 'a6');
  expect(queue.roundsFor('a')).toBe(3);
  expect([queue.roundsFor('b'), queue.waitingOf('b')]).toEqual([0, 0]);
});

test('never exceeds a limit, loses an item, or leaves one waiting that may start', () => {
  const random = createRandom(22);
  const queue = createFairQueue<number>({ ofAll: 3, ofOne: 2, spare: 3 });
  const names = ['a', 'b', 'c', 'd', 'e'];
  const inside = new Map<ClientName, number>();
  const waiting = new Map<number, ClientName>();
  const insideOf = (name: ClientName) => inside.get(name) ?? 0;
  const total = () => [...inside.values()].reduce((sum, count) => sum + count, 0);
  const enter = (name: ClientName) => inside.set(name, insideOf(name) + 1);
  const mayStart = (name: ClientName) => insideOf(name) < 2 && (total() < 3 || (insideOf(name) === 0 && total() < 6));
  for (let step = 0; step < 5000; step++) {
    const name = random.pick(names);
    const action = random.below(5);
    if (action < 2) {
      if (queue.tryEnter(name)) enter(name);
      else {
        queue.wait(name, step);
        waiting.set(step, name);
      }
    } else if (action === 2) {
      const [one, owner] = random.pick([...waiting, [-1, name] as const]);
      queue.forget(owner, one);
      waiting.delete(one);
    } else if (insideOf(name) > 0) {
      queue.leave(name);
      inside.set(name, insideOf(name) - 1);
      for (let turn = queue.next(); turn; turn = queue.next()) {
        expect(waiting.get(turn.one)).toBe(turn.name);
        waiting.delete(turn.one);
        enter(turn.name);
      }
    }
    expect(Math.max(0, ...inside.values())).toBeLessThanOrEqual(2);
    expect(total()).toBeLessThanOrEqual(6);
    expect([...waiting.values()].filter(mayStart)).toEqual([]);
    expect(queue.waiting).toBe(waiting.size);
    expect(new Map([...queue.all()].map(([owner, one]) => [one, owner]))).toEqual(waiting);
  }
});
