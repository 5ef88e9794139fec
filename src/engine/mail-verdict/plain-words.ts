/** Returns the words of a name in lower case without marks. */
export function plainWords(name: string): readonly string[] {
  return (
    name
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
