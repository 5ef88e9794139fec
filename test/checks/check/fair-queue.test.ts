import { expect, test } from 'bun:test';
import { type ClientName, createTurns } from '#src/checks/check/fair-queue.ts';
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
  // Two places: one, and one beyond for whom nothing is under way.
  const inside: ClientName[] = ['x', 'y'];
  for (const name of inside) expect(turns.tryEnter(name)).toBe(true);
  for (const name of ['a', 'b', 'c']) for (const at of [1, 2]) turns.wait(name, `${name}${at}`);
  const order: string[] = [];
  for (let name = inside.shift(); name !== undefined; name = inside.shift()) {
    turns.leave(name);
    const turn = turns.next();
    if (!turn) continue;
    order.push(turn.one);
    inside.push(turn.name);
  }
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  expect(turns.waiting).toBe(0);
});

test('who was here before, or waited and gave up, has no better turn for it', () => {
  const turns = createTurns<string>({ ofAll: 1, ofOne: 1 });
  const openWith = (name: ClientName) => expect(turns.tryEnter(name)).toBe(true);
  openWith('left');
  turns.leave('left');
  openWith('x');
  openWith('y');
  turns.wait('gave up', 'g1');
  turns.forget('gave up', 'g1');
  for (const name of ['new', 'gave up', 'left']) turns.wait(name, name);
  const order = ['x', 'y', 'new'].map((name) => {
    turns.leave(name);
    return turns.next()?.name;
  });
  expect(order).toEqual(['new', 'gave up', 'left']);
});

test('one that waits in front of another of its client keeps that from entering before it', () => {
  const turns = createTurns<string>({ ofAll: 2, ofOne: 1 });
  expect(turns.tryEnter('a')).toBe(true);
  turns.wait('a', 'first');
  turns.leave('a');
  expect(turns.tryEnter('a')).toBe(false);
  expect(turns.next()).toEqual({ name: 'a', one: 'first' });
});

test('who gives up one check keeps the others waiting', () => {
  const turns = createTurns<string>({ ofAll: 1, ofOne: 1 });
  for (const name of ['x', 'y']) expect(turns.tryEnter(name)).toBe(true);
  for (const one of ['a1', 'a2']) turns.wait('a', one);
  turns.forget('a', 'a1');
  expect([...turns.all()]).toEqual([['a', 'a2']]);
});

test('a client waits as many rounds as its own, under way and waiting, fill its places', () => {
  const turns = createTurns<string>({ ofAll: 16, ofOne: 2 });
  expect([turns.roundsFor('a'), turns.waitingOf('a')]).toEqual([0, 0]);
  for (const one of ['a1', 'a2', 'a3', 'a4', 'a5']) if (!turns.tryEnter('a')) turns.wait('a', one);
  expect(turns.waitingOf('a')).toBe(3);
  expect(turns.roundsFor('a')).toBe(2);
  turns.wait('a', 'a6');
  expect(turns.roundsFor('a')).toBe(3);
  expect([turns.roundsFor('b'), turns.waitingOf('b')]).toEqual([0, 0]);
});

test('whatever happens, no client exceeds its places, nobody is lost, and who may start is not left waiting', () => {
  const random = createRandom(22);
  const turns = createTurns<number>({ ofAll: 3, ofOne: 2 });
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
      if (turns.tryEnter(name)) enter(name);
      else {
        turns.wait(name, step);
        waiting.set(step, name);
      }
    } else if (action === 2) {
      const [one, owner] = random.pick([...waiting, [-1, name] as const]);
      turns.forget(owner, one);
      waiting.delete(one);
    } else if (insideOf(name) > 0) {
      turns.leave(name);
      inside.set(name, insideOf(name) - 1);
      for (let turn = turns.next(); turn; turn = turns.next()) {
        expect(waiting.get(turn.one)).toBe(turn.name);
        waiting.delete(turn.one);
        enter(turn.name);
      }
    }
    expect(Math.max(0, ...inside.values())).toBeLessThanOrEqual(2);
    expect(total()).toBeLessThanOrEqual(6);
    expect([...waiting.values()].filter(mayStart)).toEqual([]);
    expect(turns.waiting).toBe(waiting.size);
    expect(new Map([...turns.all()].map(([owner, one]) => [one, owner]))).toEqual(waiting);
  }
});
