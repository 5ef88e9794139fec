/** A list of this size is what the program is held to. */
export const ENTRIES = 1_000_000;

/** One of its entries: of five, four are hosts and one is a URL, of some 18 and 39 characters without its scheme. */
export function listedEntry(place: number): string {
  const [name, word] = [scattered(place), scattered(3 * place)];
  return place % 5 < 4
    ? `${name}.evil${place % 300}.com`
    : `http://${name}.site${place % 100}.org/wp/${word}/login.php`;
}

/** A number as a word, none of which is another's neighbour. */
function scattered(number: number): string {
  return (Math.imul(number, 0x9e3779b1) >>> 0).toString(36);
}
