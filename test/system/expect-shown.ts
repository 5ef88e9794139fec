import { expect } from 'bun:test';
import { PATIENT_MS } from '#test/support/patience.ts';

const POLL_MS = 50;

interface ShownMatchers {
  toBe(expected: unknown): Promise<void>;
  toEqual(expected: unknown): Promise<void>;
  toContain(expected: string): Promise<void>;
  toMatch(expected: RegExp): Promise<void>;
  toStartWith(expected: string): Promise<void>;
  toBeGreaterThan(expected: number): Promise<void>;
}

/**
 * `expect` of what a page shows: reads it again until the matcher holds, since a page changes after the event that a test
 * waited for. Throws the last error of the matcher if it does not hold within {@link PATIENT_MS}. A state that must not
 * come about is asserted with `expect`, after the state that follows it.
 */
export function expectShown(read: () => Promise<unknown>): ShownMatchers {
  async function until(assertion: (value: unknown) => void): Promise<void> {
    const endMs = performance.now() + PATIENT_MS;
    for (;;) {
      const value = await read();
      try {
        return assertion(value);
      } catch (error) {
        if (performance.now() > endMs) throw error;
      }
      await Bun.sleep(POLL_MS);
    }
  }
  return {
    toBe: (expected) => until((value) => expect(value).toBe(expected)),
    toEqual: (expected) => until((value) => expect(value).toEqual(expected)),
    toContain: (expected) => until((value) => expect(value).toContain(expected)),
    toMatch: (expected) => until((value) => expect(value).toMatch(expected)),
    toStartWith: (expected) => until((value) => expect(value).toStartWith(expected)),
    toBeGreaterThan: (expected) => until((value) => expect(value as number).toBeGreaterThan(expected)),
  };
}
