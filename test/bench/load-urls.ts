import { goldenUrls } from '#test/engine/lexical/golden-urls.ts';

/** A domain that one check in ten thousand is of. */
export const RARE_DOMAIN = 'rare-meadow-4711.net';

/** A suffix under which most of the domains are that are checked. */
export const COMMON_DOMAIN = 'com';

/** The n-th URL that is checked: those of the model's golden table, each time another page there. */
export function urlOf(n: number): string {
  if (n % 10_000 === 1) return `https://www.${RARE_DOMAIN}/garden/${n}.html`;
  const url = goldenUrls[n % goldenUrls.length] ?? '';
  return `${url}${url.includes('?') ? '&' : '?'}item=${n}`;
}

/** The same as the body of a request. */
export const bodyOf = (n: number): string => JSON.stringify({ url: urlOf(n), private_mode: false });
