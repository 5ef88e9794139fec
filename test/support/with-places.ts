/** An example with the places of this machine in place of its own. Throws an Error where it does not have one of them. */
export function withPlaces(example: string, places: Readonly<Record<string, string>>): string {
  return Object.entries(places).reduce((text, [place, own]) => {
    if (!text.includes(place)) throw new Error(`the example has no ${place}`);
    return text.replaceAll(place, own);
  }, example);
}
