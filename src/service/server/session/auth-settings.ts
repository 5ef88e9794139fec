import { SCOPES, type Scope } from '#src/admin/keys/api-key.ts';
import { type TrustedProxy, UNIX_PEER } from '#src/core/base/addresses/client-address.ts';
import { reloadable, type SettingRule, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { listOf, orNone, plainText, textOf } from '#src/core/base/settings/setting-kind.ts';

/** Every user without a row of its own. */
export const ANY_USER = '*';

/** Names of users, as accounts and addresses are written; no comma, which joins two headers of one name. */
const USER = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/;

/** The scopes of a user whom a proxy names. */
export interface AuthUser {
  /** Name of the user, or {@link ANY_USER}. */
  readonly user: string;
  readonly scopes: readonly Scope[];
}

/** Returns true for a valid name of a user. */
export function isUserName(text: string): boolean {
  return USER.test(text);
}

/**
 * A header for this alone, which its name shows: no client sends one of these by itself, but for `User-Agent`. Without an
 * underscore, since some servers take `Remote_User` for `Remote-User`.
 */
const headerName = plainText('the name of a header that names a user, email or login, such as Remote-User', (text) => {
  const name = text.toLowerCase();
  const isOwn = /user|email|login/.test(name) && !/^(?:sec|proxy)-|^user-agent$/.test(name);
  return isOwn && /^[a-z][a-z0-9-]{0,63}$/.test(name) ? text : null;
});

const authUser = textOf<AuthUser>(
  `a user, or ${ANY_USER} for all others, and scopes joined by +, such as alice@corp.example=lists+feedback (${SCOPES.join(', ')})`,
  (text) => {
    const [user = '', joined = '', ...rest] = text.split('=');
    const words = joined.split('+');
    const scopes = SCOPES.filter((scope) => words.includes(scope));
    const isRow = (user === ANY_USER || isUserName(user)) && rest.length === 0;
    return isRow && new Set(words).size === words.length && scopes.length === words.length ? { user, scopes } : null;
  },
  ({ user, scopes }) => `${user}=${scopes.join('+')}`,
);

/** Single sign-on by a proxy. */
export const AUTH_SETTINGS = {
  auth_header: setting(
    ['serve'],
    orNone(headerName),
    null,
    'Header in which a trusted_proxy names the user whom it signed in. No other client may send it.',
  ),
  auth_users: reloadable(
    setting(['serve'], listOf(authUser), [], 'Scopes of the users whom auth_header names. Other users have none.'),
  ),
};

type AuthValues = SettingValues<typeof AUTH_SETTINGS> & { readonly trusted_proxy: readonly TrustedProxy[] };

/**
 * The header needs a trusted source: without one nobody can sign in, and with any client as its source everybody can.
 */
export const AUTH_RULE: SettingRule<AuthValues> = {
  between: ['auth_header', 'auth_users', 'trusted_proxy'],
  problem({ auth_header: header, auth_users: users, trusted_proxy: proxies }) {
    if (header === null) return users.length === 0 ? null : 'auth_users is set, but auth_header is not';
    if (proxies.length === 0)
      return 'auth_header is set, but trusted_proxy is not: only a trusted proxy may name a user';
    if (proxies.some((proxy) => proxy !== UNIX_PEER && proxy.bits === 0))
      return 'auth_header is set, but trusted_proxy contains all addresses: every client could name itself any user';
    if (users.length === 0) return 'auth_header is set, but auth_users is not: no user would have a scope';
    const twice = users.find(({ user }, index) => users.findIndex((other) => other.user === user) < index);
    return twice ? `auth_users has two rows for "${twice.user}"; expected one with all scopes` : null;
  },
};
