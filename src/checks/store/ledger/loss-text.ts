import type { Visibility } from '#src/core/base/visibility.ts';
import type { Loss } from './loss.ts';

const HAPPENED: Readonly<Record<Loss['kind'], string>> = {
  cut: 'ends earlier than it did: its write-ahead log was lost, or an older copy was put in its place',
  replaced: 'is not the file that it was: another was put in its place',
  removed: 'had been removed, and was begun anew',
  emptied: 'had been emptied, and was begun anew',
  damaged: 'was damaged, and begun anew',
};

/** What happened to a log, for the operator. `file` is its name, `keptAs` where what is left of it lies. */
export function describeLoss(file: string, loss: Loss, keptAs: string | null): string {
  const kept = keptAs === null ? '' : ` What is left is kept as ${keptAs}.`;
  const remedy = loss.kind === 'damaged' ? ` \`sqlite3 ${keptAs} .recover\` reads what can be read of it.` : '';
  return `${file} ${HAPPENED[loss.kind]}. ${missing(loss)}${kept}${remedy}`;
}

/** The same for everybody: of the private log not even how much is missing, and since when. */
export function describeLossInPublic(visibility: Visibility, loss: Loss): string {
  return visibility === 'public'
    ? `The public log is not complete. ${missing(loss)}`
    : 'The private log is not complete.';
}

function missing({ checks, fromMs, untilMs }: Loss): string {
  const span = fromMs === null || untilMs === null ? '' : ` from between ${time(fromMs)} and ${time(untilMs)}`;
  if (checks === null) return `It is not known how many checks${span} are missing.`;
  return checks === 1 ? `About 1 check${span} is missing.` : `About ${checks} checks${span} are missing.`;
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
