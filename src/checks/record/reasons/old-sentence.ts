import { WAYS } from '#src/engine/reasons/catalogue.ts';
import type { ReasonArgs } from '#src/engine/reasons/reason.ts';
import { argOf, entriesByCode } from '#src/engine/reasons/sentence.ts';

/** Sentences of version 0.1 that were reworded since, by the numbers of their rows. */
const FORMER_SENTENCES: ReadonlyMap<number, string> = new Map([
  [2, '“{name}” is put together like the names of phishing sites.'],
  [7, 'An IP address stands in place of a name.'],
  [19, '{count} subdomains stand in front of the name.'],
  [23, 'Words such as login or verify stand in the host.'],
  [24, 'Words such as login or verify stand in the path.'],
  [25, 'Words such as login or verify stand in the host and the path.'],
  [31, 'A user name stands in front of the host.'],
  [41, "“{found}” stands under {platform}, where anyone can publish, but {domain} is {brand}'s domain."],
  [50, "“{found}” stands under .{suffix}, but {domain} is {brand}'s domain."],
  [114, 'The page asks for a login and checks whether a program is looking at it.'],
  [117, 'The page is longer than what is read of a page, or ended early: part of it was not judged.'],
  [133, "This box was taught that {site} is {brand}'s own domain."],
  [134, 'This box was taught to watch over {brand}.'],
  [135, 'This box was taught to watch over the brand whose page this looks like.'],
  [136, 'The host is the bare address {address}, which has no name to go by.'],
]);

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
  for (const { number, kind, gaps, words } of entriesByCode(code)) {
    const former = FORMER_SENTENCES.get(number)?.split(/\{\w+\}/);
    const texts = textsBetween(message, words) ?? (former ? textsBetween(message, former) : null);
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
