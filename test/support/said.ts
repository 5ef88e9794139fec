import type { ReasonArgs, ReasonWay } from '#src/engine/reasons/reason.ts';
import { sentenceOf } from '#src/engine/reasons/sentence.ts';

/** A feature, a term or a contribution. */
type Said = { readonly args: ReasonArgs; readonly ways?: readonly ReasonWay[] } & (
  | { readonly name: string }
  | { readonly code: string }
);

/** Returns what is said of something that an analyzer found; empty for what it did not find. */
export function said(found: Said | undefined): string {
  return found === undefined ? '' : sentenceOf({ code: 'code' in found ? found.code : found.name, ...found });
}
