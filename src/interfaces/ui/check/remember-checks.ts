import type { QueuedCheck } from './check-queue.ts';

/** Checks that are remembered, as long as the page is open and nowhere else. */
const REMEMBERED = 50;

/** Returns the previous checks, latest first. */
export function rememberChecks(before: readonly QueuedCheck[], done: readonly QueuedCheck[]): QueuedCheck[] {
  const finished = done.filter(({ result }) => result !== null).toReversed();
  return [...finished, ...before.filter((check) => !finished.includes(check))].slice(0, REMEMBERED);
}
