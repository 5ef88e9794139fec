import { fnvHash, mixHash } from '#src/core/base/fnv.ts';
import { parseHost } from '#src/core/url/host.ts';
import { FITS } from '../fit/logistic.ts';
import type { Row } from './dataset.ts';
import { partOf } from './prepare.ts';
import facts from './sign-in-paths.json' with { type: 'json' };

/** One of {@link SOFTWARE}. */
export interface Software {
  /** Paths with their queries, `{host}` for the site's, or what stands left of a host, `webmail.`. */
  readonly addresses: readonly string[];
  /** The part of the sites that may have it, so that the trees see each address as scored by a fit that does not know it. */
  readonly part: number;
  /** Counts through the software of each part, by which a fold leaves some of it out. */
  readonly turn: number;
}

/** Where common software has its users sign in, unless somebody moves it. */
export const SOFTWARE: readonly Software[] = Object.values(facts.entries).map((addresses, index) => ({
  addresses,
  part: index % FITS,
  turn: Math.floor(index / FITS),
}));

/** What honest rows are called among sources: of software that the fit knows, and of software that a fold left out of it. */
export const WAYS_IN = { known: 'ways_in', leftOut: 'ways_in_left_out' } as const;

export interface WaysChoice {
  readonly software: readonly Software[];
  /** What the rows are called; without it, as those that they are made of. */
  readonly source?: (typeof WAYS_IN)[keyof typeof WAYS_IN];
  /** Sites that get none. */
  readonly without: ReadonlySet<string>;
  /** One host in so many gets an address. */
  readonly oneIn: number;
}

/**
 * Made-up rows: the hosts on own domains among `rows`, each with one address of the software. Lists of phishing are full of
 * such addresses, and nobody lists the honest ones, so that their spelling would speak for phishing by the way in which data
 * are collected.
 */
export function waysIn(rows: readonly Row[], { software, source, without, oneIn }: WaysChoice): Row[] {
  const seen = new Set<string>();
  return rows.flatMap((row) => {
    if (row.hosted || without.has(row.site)) return [];
    const host = parseHost(row.canon.split(/[/?]/, 1)[0] ?? '');
    if (host?.kind !== 'name' || seen.has(host.text)) return [];
    seen.add(host.text);
    const lot = mixHash(fnvHash(`${source ?? 'way in'} ${host.text}`));
    const possible = software.filter(({ part }) => part === partOf(row.site));
    const { addresses: of } = possible[Math.floor(lot / oneIn) % possible.length] ?? { addresses: [] };
    const address = of[Math.floor(lot / oneIn / possible.length) % of.length];
    if (address === undefined || lot % oneIn !== 0) return [];
    const canon = address.endsWith('.')
      ? `${address}${host.text}`
      : `${host.text}${address.replaceAll('{host}', host.text)}`;
    return { ...row, source: source ?? row.source, canon, bare: address.endsWith('.') };
  });
}

const withoutFinalSlash = (text: string) => (text.endsWith('/') ? text.slice(0, -1) : text);

const PATHS: ReadonlySet<string> = new Set(SOFTWARE.flatMap(({ addresses: of }) => of.map(withoutFinalSlash)));

/** Whether all that stands behind the host of a row’s `canon` is one of the addresses. */
export function isWayIn(canon: string): boolean {
  const start = canon.search(/[/?]/);
  return start !== -1 && PATHS.has(withoutFinalSlash(canon.slice(start)));
}
