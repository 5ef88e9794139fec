/** Returns words in lines of at most `width` characters, separated by spaces, as fact files have them. */
export function nameLines(words: readonly string[], width: number): string[] {
  const wrapped: string[] = [];
  for (const word of words) {
    const last = wrapped.at(-1);
    if (last !== undefined && last.length + word.length < width) wrapped[wrapped.length - 1] = `${last} ${word}`;
    else wrapped.push(word);
  }
  return wrapped;
}
