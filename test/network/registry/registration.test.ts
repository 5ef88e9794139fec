import { expect, test } from 'bun:test';
import { DAY_MS } from '#src/core/base/clock.ts';
import { NO_FACTS, registrationAt } from '#src/network/registry/registration-facts.ts';

const CREATED_MS = Date.UTC(2026, 0, 31, 12);
const answer = (createdAt: string | null) =>
  ({ source: 'rdap', domain: 'bank.example', ...NO_FACTS, createdAt }) as const;

test('the age of a domain is the number of whole days since its creation', () => {
  const ageAt = (nowMs: number) => registrationAt(answer(new Date(CREATED_MS).toISOString()), nowMs).ageDays;
  expect(ageAt(CREATED_MS)).toBe(0);
  expect(ageAt(CREATED_MS + 7 * DAY_MS - 1)).toBe(6);
  expect(ageAt(CREATED_MS + 7 * DAY_MS)).toBe(7);
});

test('a domain without a creation date has no age, and its other facts remain unchanged', () => {
  expect(registrationAt(answer(null), CREATED_MS)).toEqual({ ...answer(null), ageDays: null });
});
