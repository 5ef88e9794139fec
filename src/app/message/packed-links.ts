/**
 * Links of a mail for the thread that looks them up, in one buffer: an array of a hundred thousand texts takes ten times
 * as much. Each line begins with a {@link LinkPlace}; behind it is the URL, and behind tabs the canonical URLs that
 * lists are asked for as well: its own if it is written otherwise, and those that it wraps.
 */
export type PackedLinks = Uint8Array<ArrayBuffer>;

/**
 * Place of a link among those of its mail. `candidate`: one of the first of its site. `further`: the site has enough
 * candidates. `beyond`: its site has none, since there are too many sites.
 */
export const LINK_PLACE = { candidate: 0x63, further: 0x66, beyond: 0x62 } as const;

/** A line of {@link PackedLinks}, by its places in the bytes. */
export interface PackedLink {
  place: number;
  start: number;
  end: number;
  /** End of the URL itself. */
  urlEnd: number;
}

const [FEED, TAB] = [0x0a, 0x09];

/**
 * Packs links.
 *
 * @param blob their URLs, one behind the other
 * @param ends where each ends
 * @param further what follows behind a URL, by its number
 * @param order numbers and places
 */
export function packLinks(
  blob: Uint8Array,
  ends: Uint32Array,
  further: ReadonlyMap<number, string>,
  order: Iterable<readonly [number: number, place: number]>,
): PackedLinks {
  const encoder = new TextEncoder();
  let behind = 0;
  for (const text of further.values()) behind += 3 * text.length;
  const bytes = new Uint8Array(blob.length + 2 * ends.length + behind);
  let at = 0;
  for (const [number, place] of order) {
    bytes[at++] = place;
    for (let from = ends[number - 1] ?? 0; from < (ends[number] ?? 0); from++) bytes[at++] = blob[from] ?? 0;
    const text = further.get(number);
    if (text !== undefined) at += encoder.encodeInto(text, bytes.subarray(at)).written;
    bytes[at++] = FEED;
  }
  return at === bytes.length ? bytes : bytes.slice(0, at);
}

/** Yields each link; always in the same object, since there may be many. */
export function* packedLinks(bytes: PackedLinks): Generator<Readonly<PackedLink>> {
  const line = { place: 0, start: 0, end: 0, urlEnd: 0 };
  for (let at = 0; at < bytes.length; at = line.end + 1) {
    line.place = bytes[at] ?? 0;
    line.start = at + 1;
    line.end = bytes.indexOf(FEED, at);
    line.urlEnd = endOfUrl(bytes, line.start, line.end);
    yield line;
  }
}

/** Returns true if one of the URLs of a link fulfils a condition, which gets its places in the bytes. */
export function someUrlOf(
  bytes: PackedLinks,
  { start, end }: Readonly<PackedLink>,
  holds: (bytes: PackedLinks, from: number, to: number) => boolean,
): boolean {
  for (let from = start; from < end; ) {
    const to = endOfUrl(bytes, from, end);
    if (holds(bytes, from, to)) return true;
    from = to + 1;
  }
  return false;
}

/** Searches up to the end of the line alone: most lines have no tab. */
function endOfUrl(bytes: PackedLinks, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] !== TAB) at++;
  return at;
}

/** Returns the URL of a link. */
export function urlOf(bytes: PackedLinks, { start, urlEnd }: Readonly<PackedLink>): string {
  return new TextDecoder().decode(bytes.subarray(start, urlEnd));
}
