import { fnvHash, mixHash } from '#src/core/base/fnv.ts';
import { parseHost } from '#src/core/url/host.ts';
import { FITS } from '../fit/logistic.ts';
import type { Row } from './dataset.ts';
import { partOf } from './prepare.ts';
import facts from './sign-in-paths.json' with { type: 'json' };

/** One of {@link SOFTWARE}. */
export interface Software {
  /** Paths with their queries, where `{host}` stands for the site's host; or a prefix of the host, such as `webmail.`. */
  readonly addresses: readonly string[];
  /** Part of the sites that may have it, so that the trees see each address as scored by a fit without it. */
  readonly part: number;
  /** Index within its part; folds leave out software by it. */
  readonly turn: number;
}

/** Default sign-in paths of common software. */
export const SOFTWARE: readonly Software[] = Object.values(facts.entries).map((addresses, index) => ({
  addresses,
  part: index % FITS,
  turn: Math.floor(index / FITS),
}));

/** Sources of honest rows: for software in the fit, and for software that a fold leaves out of it. */
export const SIGN_IN_SOURCES = { known: 'ways_in', leftOut: 'ways_in_left_out' } as const;

export interface SignInChoice {
  readonly software: readonly Software[];
  /** Source of the rows; by default that of the rows that they are made from. */
  readonly source?: (typeof SIGN_IN_SOURCES)[keyof typeof SIGN_IN_SOURCES];
  /** Sites without such a row. */
  readonly without: ReadonlySet<string>;
  /** One host in this many gets an address. */
  readonly oneIn: number;
}

/**
 * Returns synthetic rows: hosts on their own domains among `rows`, each with one address of the software. Phishing feeds
 * contain many such addresses and no list contains the honest ones, so without these rows the fit would learn the bias of
 * the collection.
 */
export function signInRows(rows: readonly Row[], { software, source, without, oneIn }: SignInChoice): Row[] {
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

/** Returns true if everything after the host of a row’s `canon` is one of the addresses. */
export function isSignInPath(canon: string): boolean {
  const start = canon.search(/[/?]/);
  return start !== -1 && PATHS.has(withoutFinalSlash(canon.slice(start)));
}
