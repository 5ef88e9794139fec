import { formatIp, parseIp, unmapIp } from '#src/core/base/addresses/ip.ts';
import type { IcapHeaders } from './icap-head.ts';

/** The client of a request, as stated by the proxy. */
export interface ClientIdentity {
  /** `X-Client-IP` in canonical form; null if it is missing or not an address. */
  readonly address: string | null;
  /** `X-Client-Username` or `X-Authenticated-User`; null if both are absent. Never `Proxy-Authorization`. */
  readonly user: string | null;
}

/** Maximum length of a user's name, in UTF-16 code units; longer ones are cut. */
const MAX_USER_LENGTH = 256;

const BASE64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^[A-Za-z0-9+/]{2}==$|^[A-Za-z0-9+/]{3}=$/;

/** Reads who made a request. */
export function readIdentity(headers: IcapHeaders): ClientIdentity {
  const ip = parseIp(headers.get('x-client-ip') ?? '');
  const plain = headers.get('x-client-username');
  const authenticated = headers.get('x-authenticated-user');
  const user = plain || (authenticated && decoded(authenticated)) || null;
  return { address: ip && formatIp(unmapIp(ip)), user: user?.slice(0, MAX_USER_LENGTH) ?? null };
}

/** `X-Authenticated-User` is Base64 of `WinNT://DOMAIN/user` or the like; some gateways send it plain. */
function decoded(value: string): string {
  if (!BASE64.test(value)) return value;
  const text = Buffer.from(value, 'base64').toString('utf8');
  // What does not decode to an address of a user was a plain name that looks like Base64.
  return text.includes('://') ? text : value;
}
