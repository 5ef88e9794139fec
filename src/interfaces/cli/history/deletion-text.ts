import type { RecordedDeletion } from '#src/checks/store/deletions/deletion-target.ts';
import { isoTime } from '#src/core/base/clock.ts';
import { counted } from '#src/core/base/text/counted.ts';
import type { Visibility } from '#src/core/base/visibility.ts';

/** The deletions as the record of them has them, a line each. */
export function deletionsAsText(deletions: readonly RecordedDeletion[]): string {
  const lines = deletions.map(({ askedAtMs, by, wanted, wantedHash, removed, doneAtMs }) => {
    const what = by === 'before' ? wanted : `#${wantedHash.toString('hex')}`;
    return `${isoTime(askedAtMs)}  ${by} ${what}  ${counted(removed, 'check')}${doneAtMs === null ? ', incomplete' : ''}\n`;
  });
  return lines.join('') || 'no deletions\n';
}

/** Formats a deletion as JSON, with only the hash of an id or domain. */
export function deletionAsJson(visibility: Visibility, deletion: RecordedDeletion): Readonly<Record<string, unknown>> {
  const { askedAtMs, by, wanted, wantedHash, removed, doneAtMs } = deletion;
  return {
    log: visibility,
    by,
    ...(by === 'before' && { before: wanted }),
    hash: wantedHash.toString('hex'),
    removed,
    asked_at: isoTime(askedAtMs),
    done_at: doneAtMs === null ? null : isoTime(doneAtMs),
  };
}

/** Describes an unfinished deletion, with the reason if known. */
export function describeUndone(deletion: RecordedDeletion | null, problem: string | null): string {
  const why = problem ?? 'See the log of lurecheck serve.';
  const removed = deletion?.removed ?? 0;
  const gone = `${counted(removed, 'check')} deleted so far${removed > 0 ? ', of which the files may still contain traces' : ''}`;
  return `${why} The deletion is incomplete: ${gone}. It continues with lurecheck serve or the next lurecheck history delete.`;
}

/** Describes an earlier deletion that had to be completed first. */
export function describeEarlier({ askedAtMs, removed }: RecordedDeletion): string {
  return `also completed the deletion requested at ${isoTime(askedAtMs)}: ${counted(removed, 'check')}`;
}
