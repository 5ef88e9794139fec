/** A sentence with something in each of its gaps, so that what it quotes can be set off from the words around it. */
export function filled<T>(sentence: string, inGap: (name: string) => T): (string | T)[] {
  return sentence.split(/\{(\w+)\}/).map((piece, at) => (at % 2 === 0 ? piece : inGap(piece)));
}
