import { ordinaryUrl } from '#test/support/ordinary-urls.ts';

/** A domain that one check in ten thousand is of. */
export const RARE_DOMAIN = 'rare-meadow-4711.net';

/** The suffix of most of the domains that are checked. */
export const COMMON_DOMAIN = 'com';

/** Returns the n-th URL to check: of the kinds that people have checked, each time another one. */
export function urlOf(n: number): string {
  return n % 10_000 === 1 ? `https://www.${RARE_DOMAIN}/garden/${n}.html` : ordinaryUrl(n);
}
