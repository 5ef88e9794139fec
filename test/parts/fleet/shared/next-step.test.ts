import { expect, test } from 'bun:test';
import { nextStep } from '#src/parts/fleet/shared/last-sync.ts';

const at = (version: number) => ({ version });
const has = (version: number, print = 'a', now = print, isOther = false) => ({
  taken: { version, print },
  print: now,
  isOther,
});
const NEW = { taken: null, print: 'a', isOther: false };
const EMPTY = { taken: null, print: '', isOther: false };

test.each([
  ['the first node that has something seeds the fleet', null, NEW, ['publish', null, 1]],
  ['a node without anything seeds nothing', null, EMPTY, ['nothing']],
  ['a node that joins adopts', at(3), NEW, ['adopt']],
  ['so does one without anything', at(3), EMPTY, ['adopt']],
  ['a newer version is adopted', at(4), has(3), ['adopt']],
  ['also over a change here', at(4), has(3, 'a', 'b'), ['adopt']],
  ['what is the same stays', at(3), has(3), ['nothing']],
  ['a change here is published', at(3), has(3, 'a', 'b'), ['publish', 3, 4]],
  ['a file that is missing here is brought back', at(3), has(3, 'a', ''), ['adopt']],
  ['another text of the same version is adopted', at(3), has(3, 'a', 'a', true), ['adopt']],
  ['a restored database gets the copy under its own version', at(2), has(5), ['publish', 2, 5]],
  ['and a change that was made meanwhile after it', at(2), has(5, 'a', 'b'), ['publish', 2, 6]],
  ['an empty one likewise', null, has(5), ['publish', null, 5]],
  ['without a copy the restored one is adopted', at(2), has(5, 'a', ''), ['adopt']],
  ['without either there is nothing to do', null, has(5, 'a', ''), ['nothing']],
] as const)('%s', (_, found, local, expected) => {
  const step = nextStep(found, local);
  expect<unknown[]>(step.what === 'publish' ? [step.what, step.over, step.version] : [step.what]).toEqual([
    ...expected,
  ]);
});

test('the latest copy is used by the nodes of a restored database, in any order', () => {
  for (const order of [
    [8, 9],
    [9, 8],
  ]) {
    let version = 5;
    for (const own of [...order, ...order]) {
      const step = nextStep(at(version), has(own));
      if (step.what === 'publish') version = step.version;
    }
    expect(version).toBe(9);
  }
});
