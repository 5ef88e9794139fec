import { type Host, parseHost } from '#src/core/url/host.ts';

/** Returns the host of a name in a certificate, the parent of a wildcard; null if it is not a host name. */
export function certifiedHost(name: string): Host | null {
  return parseHost(name.replace(/^\*\./, ''));
}
