import { type NonWebTarget, namesSite } from '#src/engine/message/non-web-target.ts';
import type { Speaker } from '../../languages/speak.ts';

/** Returns the look of a target that is not a web address: at least `caution`. */
export function lookOfTarget({ kind, element, words }: NonWebTarget): 'caution' | 'warn' {
  const isCommon = element === 'link' && (kind === 'relative' || kind === 'app');
  return isCommon && !namesSite(words ?? '') ? 'caution' : 'warn';
}

/** Describes a target, such as “a script behind …”; `{words}` is a placeholder if it has words. */
export function nonWebSentence({ kind, element, words }: NonWebTarget, say: Speaker): string {
  if (element === 'form') return say(kind === 'relative' ? 'target.form.relative' : 'target.form.elsewhere');
  return say(words === null ? `target.${kind}` : `target.${kind}.behind`);
}
