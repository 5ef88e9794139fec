import { isTrustedPeer, type PeerContext, type PeerOf } from '#src/core/base/addresses/client-address.ts';
import { type Problem, ProblemError } from '../http/problem.ts';
import type { ServerSettings } from '../settings.ts';
import { ANY_USER, type AuthUser, isUserName } from './auth-settings.ts';

const UNCLEAR: Problem = {
  code: 'unauthorized',
  detail:
    'The proxy does not name exactly one user: it must set the header of auth_header itself, once, and drop those of clients.',
  headers: { 'www-authenticate': 'Bearer realm="lurecheck"' },
};

/**
 * Creates the function that returns the user whom a trusted proxy names in `auth_header`, with the scopes of that user; null
 * without one, and for every other peer, whose header means nothing. It throws ProblemError 401 if the header is sent twice,
 * is named in `Connection` (RFC 9110 §7.6.1), or its value is not the name of a user.
 *
 * @param users the rows of `auth_users`
 */
export function createProxiedUser(
  { auth_header: header, trusted_proxy: trusted }: Pick<ServerSettings, 'auth_header' | 'trusted_proxy'>,
  users: () => readonly AuthUser[],
  peerOf: PeerOf,
): (context: PeerContext) => AuthUser | null {
  if (header === null) return () => null;
  return ({ request, server }) => {
    // The values of a header that is sent twice are joined by a comma, which no name contains.
    const user = request.headers.get(header) ?? '';
    if (user === '' || !isTrustedPeer(peerOf({ request, server }), trusted)) return null;
    const perHop = (request.headers.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
    if (!isUserName(user) || perHop.includes(header.toLowerCase())) throw new ProblemError(UNCLEAR);
    const rows = users();
    const row = rows.find((one) => one.user === user) ?? rows.find((one) => one.user === ANY_USER);
    return { user, scopes: row?.scopes ?? [] };
  };
}
