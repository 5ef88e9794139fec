import { type NonWebTarget, namesSite } from '#src/engine/message/non-web-target.ts';
import type { Speaker } from '../../languages/speak.ts';

/** How a target that is no web address looks: at least as an allowed link to be wary of. */
export function lookOfTarget({ kind, element, words }: NonWebTarget): 'caution' | 'warn' {
  const isCommon = element === 'link' && (kind === 'relative' || kind === 'app');
  return isCommon && !namesSite(words ?? '') ? 'caution' : 'warn';
}

/** What stands there, such as “a script behind …”; `{words}` is a gap where there are some. */
export function nonWebSentence({ kind, element, words }: NonWebTarget, say: Speaker): string {
  if (element === 'form') return say(kind === 'relative' ? 'target.form.relative' : 'target.form.elsewhere');
  return say(words === null ? `target.${kind}` : `target.${kind}.behind`);
}
