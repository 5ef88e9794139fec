import { type Host, suffixesOf } from '#src/url/host.ts';

/** Hosts, each with everything under it. */
export interface HostSet {
  has(host: Host): boolean;
}

/** Makes a set of the domains in a text, which are set apart by spaces. */
export function hostSet(domains: string): HostSet {
  const known = new Set(domains.split(' '));
  return { has: (host) => suffixesOf(host).some((name) => known.has(name)) };
}
