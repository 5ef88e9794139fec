import { WAYS } from '#src/engine/reasons/catalogue.ts';
import type { ReasonArgs } from '#src/engine/reasons/reason.ts';
import { argOf, entriesByCode } from '#src/engine/reasons/sentence.ts';

/**
 * Returns the `args` of a reason of version 0.1, which stored only the sentence, as for each reason about another URL.
 * Empty for a sentence that is not in the catalogue, or was truncated.
 */
export function argsInSentence(code: string, message: string): ReasonArgs {
  for (const [, how, beginning] of WAYS) {
    const before = beginning.slice(0, beginning.indexOf('{'));
    const end = message.startsWith(before) ? message.indexOf('. ', before.length) : -1;
    const inside = message.slice(before.length, end);
    if (end === -1 || inside === '' || /\s/.test(inside)) continue;
    return { ...argsInSentence(code, message.slice(end + 2)), inside, ...(how !== 'inside' && { how }) };
  }
  for (const { kind, gaps, words } of entriesByCode(code)) {
    const texts = textsBetween(message, words);
    if (texts === null) continue;
    const named = gaps.map((gap, i): [string, string | number] => [gap, argOf(gap, texts[i] ?? '')]);
    return { ...(kind !== null && { kind }), ...Object.fromEntries(named) };
  }
  return {};
}

/** Returns the texts between the words of a sentence; null for another sentence. */
function textsBetween(text: string, [first = '', ...words]: readonly string[]): string[] | null {
  if (!text.startsWith(first)) return null;
  const last = words.pop();
  if (last === undefined) return text === first ? [] : null;
  const texts: string[] = [];
  let from = first.length;
  for (const word of words) {
    const at = text.indexOf(word, from);
    if (at === -1) return null;
    texts.push(text.slice(from, at));
    from = at + word.length;
  }
  if (!text.endsWith(last) || text.length - last.length < from) return null;
  return [...texts, text.slice(from, text.length - last.length)];
}
