import type { Locale } from '../shell/locale.ts';
import { checkKindOf, countKinds, KINDS } from './check-kind.ts';
import type { QueuedCheck } from './check-queue.ts';

/** The verdict of the check that is open, else how many of a batch have which; empty where there is none. It names no link. */
export function gistOf(
  { checks, shown }: { readonly checks: readonly QueuedCheck[]; readonly shown: QueuedCheck | null },
  { say, format }: Locale,
): string {
  const kind = shown && checkKindOf(shown);
  if (kind !== null && kind !== 'unchecked') return say(`decision.${kind}`);
  const counts = countKinds(checks);
  return KINDS.filter((one) => one !== 'unchecked')
    .flatMap((one) => (counts[one] > 0 ? `${format.number(counts[one])} ${say(`decision.${one}.short`)}` : []))
    .join(', ');
}
