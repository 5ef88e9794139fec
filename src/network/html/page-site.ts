import { hostOf } from '#src/core/url/host.ts';

/** Returns the registrable domain or address of a web address; null for any other address. */
export function siteOf(url: string): string | null {
  const parsed = /^https?:/i.test(url) ? URL.parse(url) : null;
  return parsed && parsed.hostname !== '' ? hostOf(parsed.hostname).site : null;
}
