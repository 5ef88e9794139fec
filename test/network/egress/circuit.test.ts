import { expect, test } from 'bun:test';
import { createCircuit } from '#src/network/egress/budget/circuit.ts';

const still = { now: () => 0, monotonicMs: () => 0 };

test('a circuit stays closed if the neutral request is answered', async () => {
  using circuit = createCircuit(
    still,
    async () => true,
    () => {},
  );
  await circuit.suspect();
  expect(circuit.isOpen()).toBeFalse();
});

test('a circuit stays closed if another answer arrives during the neutral request', async () => {
  const question = Promise.withResolvers<boolean>();
  using circuit = createCircuit(
    still,
    () => question.promise,
    () => {},
  );
  const suspicion = circuit.suspect();
  circuit.succeed();
  question.resolve(false);
  await suspicion;
  expect(circuit.isOpen()).toBeFalse();
});

test('an open circuit permits one trial per pause, and the pauses grow to 30 seconds', async () => {
  let nowMs = 0;
  const clock = { now: () => 0, monotonicMs: () => nowMs };
  using circuit = createCircuit(
    clock,
    async () => false,
    () => {},
  );
  await circuit.suspect();
  const triedAtMs: number[] = [];
  for (nowMs = 0; nowMs < 120_000; nowMs++) if (circuit.takeTrial()) triedAtMs.push(nowMs);
  const rests = triedAtMs.map((at, i) => at - (triedAtMs[i - 1] ?? 0));
  expect(rests).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test('a circuit closes with the first answer, and reports each change once', async () => {
  const changes: boolean[] = [];
  using circuit = createCircuit(
    still,
    async () => false,
    (isOpen) => changes.push(isOpen),
  );
  await Promise.all([circuit.suspect(), circuit.suspect()]);
  await circuit.suspect();
  circuit.succeed();
  circuit.succeed();
  expect(changes).toEqual([true, false]);
  expect(circuit.takeTrial()).toBeFalse();
});

test('an open circuit closes without a request once the network is available again', async () => {
  let isAlive = false;
  const closed = Promise.withResolvers<void>();
  using circuit = createCircuit(
    still,
    async () => isAlive,
    (isOpen) => !isOpen && closed.resolve(),
  );
  await circuit.suspect();
  expect(circuit.isOpen()).toBeTrue();
  isAlive = true;
  await closed.promise;
  expect(circuit.isOpen()).toBeFalse();
});
