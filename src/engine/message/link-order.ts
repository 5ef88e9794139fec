import { readUrl } from '#src/core/url/read-url.ts';
import type { MessageLink } from './message-link.ts';

/**
 * Returns the links in the order in which they should be checked: those that contradict their words, then form targets,
 * other ways out of a page and its own address, then one of each site except the sender's, one of each host, and the
 * rest. Within these, the order is stable.
 *
 * @param sender host of the sender's address; empty if unknown
 */
export function prioritizeLinks(links: readonly MessageLink[], sender = ''): MessageLink[] {
  const sites = new Set([siteOf(sender.toLowerCase())]);
  const hosts = new Set<string>();
  const ranked = links.map((link) => ({ link, rank: rankOf(link) }));
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ link }) => link);

  function rankOf({ url, mismatch, role }: MessageLink): number {
    const host = readUrl(url)?.hostname ?? url;
    const isNewSite = isNew(sites, siteOf(host));
    const isNewHost = isNew(hosts, host);
    if (mismatch !== null) return 0;
    if (role !== undefined) return 1;
    if (isNewSite) return 2;
    return isNewHost ? 3 : 4;
  }
}

function isNew(known: Set<string>, name: string): boolean {
  const before = known.size;
  return known.add(name).size > before;
}

/**
 * Returns the owner's part of a host by its form: two labels, or three under a suffix such as `co.uk`. The table of
 * suffixes would be as large as the rest of the page.
 */
function siteOf(host: string): string {
  if (/^[\d.]+$/.test(host)) return host;
  const labels = host.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  return labels.slice(second.length <= 3 && top.length === 2 ? -3 : -2).join('.');
}
