import { type Host, suffixesOf } from '#src/core/url/host.ts';

/** Hosts, each with everything under it. */
export interface HostSet {
  has(host: Host): boolean;
}

/** Makes a set of domains. */
export function hostSet(domains: readonly string[]): HostSet {
  const known = new Set(domains);
  return { has: (host) => suffixesOf(host).some((name) => known.has(name)) };
}
