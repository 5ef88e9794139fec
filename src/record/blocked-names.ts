import { isTargetProblem, parseTarget } from '#src/url/target.ts';

/** Under which names a blocked URL is counted. */
export interface BlockedNames {
  readonly site: string;
  /** The public suffix, private ones such as `github.io` included; null for an address. */
  readonly suffix: string | null;
}

/** The site and the suffix of a canonical URL; null where it is none. */
export function blockedNames(url: string): BlockedNames | null {
  const target = parseTarget(url);
  return isTargetProblem(target) ? null : { site: target.site, suffix: target.suffix || null };
}
