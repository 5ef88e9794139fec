import { HOST_ENDINGS } from '#src/core/knowledge/hosts/host-endings.ts';

const LABEL = /^[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]{0,61}[\p{L}\p{N}\p{M}_])?$/u;

/** Characters that can follow a host: of a port, a path, a query or a fragment. */
const BEHIND_HOST = /[:/?#]/;

/** Splits text into the labels of a host and the rest; null if it does not begin with a host. */
export function splitHost(text: string): { readonly labels: readonly string[]; readonly rest: string } | null {
  const end = text.search(BEHIND_HOST);
  const host = end === -1 ? text : text.slice(0, end);
  const rest = end === -1 ? '' : text.slice(end);
  const labels = host.replace(/\.$/, '').split('.');
  const isHost = host.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label));
  return isHost && /^(?::\d{1,5}(?=[/?#]|$)|[/?#]|$)/.test(rest) ? { labels, rest } : null;
}

/** Returns true for a label in lower case under which hosts have names. */
export function isTopLevel(label: string): boolean {
  const { plain, files, other } = HOST_ENDINGS;
  return plain.has(label) || files.has(label) || other.has(label) || /^xn--[a-z0-9-]{1,59}$/.test(label);
}

/** Returns true for four octets. */
export function isIpv4(labels: readonly string[]): boolean {
  return labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label) && Number(label) < 256);
}
