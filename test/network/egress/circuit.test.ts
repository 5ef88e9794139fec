import { expect, test } from 'bun:test';
import { createCircuit } from '#src/network/egress/budget/circuit.ts';

const still = { now: () => 0, monotonicMs: () => 0 };

test('a circuit does not open where the neutral question is answered', async () => {
  using circuit = createCircuit(
    still,
    async () => true,
    () => {},
  );
  await circuit.suspect();
  expect(circuit.isOpen()).toBeFalse();
});

test('a circuit does not open where an answer came while the neutral question was under way', async () => {
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

test('an open circuit lets one try through in each rest, and the rests grow', async () => {
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

test('a circuit closes with the first answer, and says so once', async () => {
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

test('an open circuit closes by itself once the network is back, though nobody asks', async () => {
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
