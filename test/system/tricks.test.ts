import { beforeAll, describe, expect, test } from 'bun:test';
import { type Static, Type } from '@sinclair/typebox';
import { parseAs } from '#test/support/parse-as.ts';
import { PUBLIC } from '#test/support/place.ts';
import { runInNamespace } from './namespace.ts';
import { PLAIN_KIND, TRICKS } from './tricks/table.ts';

const Checked = Type.Object({
  name: Type.String(),
  decision: Type.String(),
  coverage: Type.String(),
  caution: Type.Boolean(),
  reasons: Type.Array(Type.String()),
});
const Trick = Type.Composite([Checked, Type.Object({ kind: Type.String(), isShown: Type.Boolean() })]);
const Honest = Type.Composite([Checked, Type.Object({ isEmptyShell: Type.Boolean() })]);
const Printed = Type.Object({ tricks: Type.Array(Trick), honest: Type.Array(Honest) });

let tricks: Static<typeof Trick>[] = [];
let honest: Static<typeof Honest>[] = [];
/** The tricks with which Chromium shows the phishing page. */
let shown: Static<typeof Trick>[] = [];

const isAlarmed = ({ decision }: Static<typeof Checked>) => decision !== 'allow';
const isFull = (one: Static<typeof Checked>) => !isAlarmed(one) && one.coverage === 'full';
const namesOf = (rows: readonly Static<typeof Checked>[]) => rows.map(({ name }) => name);

beforeAll(async () => {
  const addresses = [PUBLIC.resolver, PUBLIC.siteAddress(0)];
  ({ tricks, honest } = parseAs(Printed, await runInNamespace('tricks-inside.ts', { addresses })));
  shown = tricks.filter(({ isShown }) => isShown);
  process.stdout.write(table());
});

/** Formats the number of tricks per kind. */
function table(): string {
  const titles = ['tricks', 'shown', 'alarmed', 'cautioned', 'full', 'full, no caution'];
  const countsOf = (rows: typeof tricks) => {
    const seen = rows.filter(({ isShown }) => isShown);
    const full = seen.filter(isFull);
    const cautioned = seen.filter((one) => !isAlarmed(one) && one.caution);
    const groups = [rows, seen, seen.filter(isAlarmed), cautioned, full, full.filter(({ caution }) => !caution)];
    return groups.map(({ length }) => String(length));
  };
  const kinds = [...new Set(tricks.map(({ kind }) => kind))];
  const lines = [
    ['kind', ...titles],
    ...kinds.map((kind) => [kind, ...countsOf(tricks.filter((one) => one.kind === kind))]),
    ['all', ...countsOf(tricks)],
  ];
  const missed = shown.filter((one) => !isAlarmed(one));
  return [
    '',
    ...lines.map(([kind = '', ...cells]) => kind.padEnd(26) + cells.map((cell) => cell.padStart(18)).join('')),
    '',
    ...missed.map(({ kind, name, coverage, caution, reasons }) =>
      ['allow', coverage.padEnd(9), caution ? 'caution' : '       ', `${kind}: ${name}`, reasons.join(' ')].join(' '),
    ),
    '',
  ].join('\n');
}

test('at least 150 tricks are tested, and Chromium shows the phishing page of nine in ten', () => {
  expect(new Set(TRICKS.map(({ kind, name }) => `${kind}: ${name}`)).size).toBe(TRICKS.length);
  expect(new Set(TRICKS.map(({ kit }) => kit.host)).size).toBe(TRICKS.length);
  expect(TRICKS.length).toBeGreaterThanOrEqual(150);
  expect(shown.length / tricks.length).toBeGreaterThan(0.9);
});

test('the page of each brand without a trick is blocked', () => {
  const plain = tricks.filter(({ kind }) => kind === PLAIN_KIND);
  expect(plain.map(({ decision }) => decision)).toEqual(plain.map(() => 'block'));
});

describe('of the pages that Chromium shows as phishing', () => {
  test('at least 120 of 153 are blocked or warned', () => {
    expect(shown.filter(isAlarmed).length / shown.length).toBeGreaterThanOrEqual(120 / 153);
  });

  test('none is allowed as seen in full without a caution', () => {
    expect(namesOf(shown.filter((one) => isFull(one) && !one.caution))).toEqual([]);
  });

  test('at most 5 of 153 are allowed as seen in full', () => {
    expect(shown.filter(isFull).length / shown.length).toBeLessThanOrEqual(5 / 153);
  });
});

describe('of ordinary honest pages', () => {
  test('at least 40 are tested, and none is blocked or warned', () => {
    expect(honest.length).toBeGreaterThanOrEqual(40);
    expect(namesOf(honest.filter(isAlarmed))).toEqual([]);
  });

  test('at most 15 % of those with content of their own are seen in part', () => {
    const withContent = honest.filter(({ isEmptyShell }) => !isEmptyShell);
    const partial = withContent.filter(({ coverage }) => coverage !== 'full');
    expect({ partial: namesOf(partial), share: partial.length / withContent.length <= 0.15 }).toMatchObject({
      share: true,
    });
  });

  test('an empty shell is never seen in full', () => {
    expect(namesOf(honest.filter((one) => one.isEmptyShell && isFull(one)))).toEqual([]);
  });
});
