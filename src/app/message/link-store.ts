import { fnvHash } from '#src/core/base/fnv.ts';
import { isInside } from '#src/core/knowledge/inside.ts';
import { unwrap } from '#src/core/unwrap/unwrap.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { MessageLink } from '#src/engine/message/message-link.ts';
import { createTextTable } from '#src/network/lists/stored/text-table.ts';
import { LINK_PLACE, type PackedLinks, packLinks } from './packed-links.ts';

/** Distinct links of a mail, in little more memory than their text takes. */
export interface LinkStore {
  readonly count: number;
  /** True if the words of a link name another host than its target. */
  readonly isMismatched: boolean;
  add(link: MessageLink): void;
  /**
   * Returns the links in the order in which they should be checked: those that contradict their words, other ways out of a
   * page, one of each site, one of each host, and the rest.
   */
  pack(): PackedLinks;
}

/** Maximum number of sites whose links are candidates, of candidates of one site, on inside hosts, and in all. */
const MAX_SITES = 200;
const MAX_OF_SITE = 5;
const MAX_INSIDE = 20;
const MAX_CANDIDATES = 400;

/** Maximum number of hosts that are distinguished. */
const MAX_HOSTS = 2000;

/** Longest URL, in bytes of UTF-8; `parseTarget` accepts none that is longer. */
const MAX_BYTES = 32_768;

/** Order of links; those that cannot be checked have none. */
const RANKS = { mismatch: 0, role: 1, site: 2, host: 3, other: 4, none: 5 } as const;

/** Numbers of sites that are not among the first {@link MAX_SITES}. */
const [INSIDE, BEYOND] = [MAX_SITES, MAX_SITES + 1];

const NO_DOMAINS: ReadonlySet<string> = new Set();

/** Creates an empty store. */
export function createLinkStore(): LinkStore {
  const urls = createTextTable(0, 0);
  const scratch = new Uint8Array(MAX_BYTES);
  const encoder = new TextEncoder();
  const sites = new Map<string, number>();
  const hosts = new Set<string>();
  /** Canonical URLs of the links that are written otherwise or wrap others, by number. */
  const further = new Map<number, string>();
  /** Rank and site of each link. */
  let facts = new Uint8Array(128);
  let isMismatched = false;

  function note(number: number, url: string): void {
    if (2 * number === facts.length) {
      const larger = new Uint8Array(2 * facts.length);
      larger.set(facts);
      facts = larger;
    }
    const target = parseTarget(url);
    facts[2 * number] = isTargetProblem(target) ? RANKS.none : rankOf(target);
    if (isTargetProblem(target)) return;
    facts[2 * number + 1] = siteOf(target);
    const canonical = [...(isPlain(url, target) ? [] : [target]), ...unwrap(target)];
    if (canonical.length > 0) further.set(number, canonical.map(({ requestUrl }) => `\t${requestUrl}`).join(''));
  }

  function rankOf({ host }: Target): number {
    if (hosts.has(host.text) || hosts.size === MAX_HOSTS) return RANKS.other;
    hosts.add(host.text);
    return sites.has(host.site) ? RANKS.host : RANKS.site;
  }

  function siteOf({ host }: Target): number {
    const known = sites.get(host.site);
    if (known !== undefined) return known;
    if (isInside(host, NO_DOMAINS)) return INSIDE;
    if (sites.size === MAX_SITES) return BEYOND;
    sites.set(host.site, sites.size);
    return sites.size - 1;
  }

  return {
    get count() {
      return urls.size;
    },
    get isMismatched() {
      return isMismatched;
    },
    add({ url, mismatch, role }) {
      if (mismatch !== null) isMismatched = true;
      const { written } = encoder.encodeInto(url, scratch);
      const isNew = urls.size;
      const number = urls.add(scratch, 0, written, fnvHash(url));
      if (number === isNew) note(number, url);
      const before = facts[2 * number] ?? RANKS.none;
      const rank = mismatch !== null ? RANKS.mismatch : role === undefined ? RANKS.other : RANKS.role;
      if (before !== RANKS.none) facts[2 * number] = Math.min(before, rank);
    },
    pack() {
      const { blob, ends } = urls.pack();
      const candidates = new Uint8Array(INSIDE + 1);
      let all = 0;
      const placeOf = (rank: number, site: number) => {
        const before = candidates[site] ?? 0;
        const most =
          rank <= RANKS.role ? MAX_CANDIDATES : site === INSIDE ? MAX_INSIDE : site === BEYOND ? 0 : MAX_OF_SITE;
        if (all === MAX_CANDIDATES || before >= most)
          return site === BEYOND || (before === 0 && site !== INSIDE) ? LINK_PLACE.beyond : LINK_PLACE.further;
        all += 1;
        candidates[site] = before + 1;
        return LINK_PLACE.candidate;
      };
      return packLinks(blob, ends, further, inOrder(facts, ends.length, placeOf));
    },
  };
}

/** Yields the number and the place of each link that can be checked, by rank. */
function* inOrder(
  facts: Uint8Array,
  count: number,
  placeOf: (rank: number, site: number) => number,
): Generator<readonly [number: number, place: number]> {
  for (let rank: number = RANKS.mismatch; rank < RANKS.none; rank++)
    for (let number = 0; number < count; number++)
      if (facts[2 * number] === rank) yield [number, placeOf(rank, facts[2 * number + 1] ?? BEYOND)];
}

/** Returns true if a URL is written so that its host is the canonical one. */
function isPlain(url: string, { requestUrl }: Target): boolean {
  const end = requestUrl.indexOf('/', 'https://'.length);
  return url.startsWith(requestUrl.slice(0, end)) && /^(?:$|[/?#])/.test(url.slice(end, end + 1));
}
