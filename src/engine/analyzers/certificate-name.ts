import { type Host, parseHost } from '#src/core/url/host.ts';

/** The host that a name in a certificate stands for, of `*.example.com` the one above; null where it is no host's name. */
export function certifiedHost(name: string): Host | null {
  return parseHost(name.replace(/^\*\./, ''));
}
