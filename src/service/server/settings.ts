import type { CheckSettings } from '#src/checks/check/settings.ts';
import { type TrustedProxy, UNIX_PEER } from '#src/core/base/addresses/client-address.ts';
import { type Cidr, formatCidr, parseUnmappedCidr } from '#src/core/base/addresses/ip.ts';
import { reloadable, type SettingValues, setting, tuning } from '#src/core/base/settings/setting.ts';
import {
  booleanValue,
  cidrBlock,
  listOf,
  numberBetween,
  orNone,
  plainText,
  type SettingKind,
  textOf,
  wholeNumber,
} from '#src/core/base/settings/setting-kind.ts';
import { limiterAddress } from './limiter/limiter-address.ts';
import { AUTH_SETTINGS } from './session/auth-settings.ts';

/** A limit of its own for a block of clients. */
export interface CidrLimit {
  readonly cidr: Cidr;
  /** Admitted requests in a minute; 0 switches the limit off for the block. */
  readonly limit: number;
}

const cidrLimit = textOf<CidrLimit>(
  'a CIDR block and its limit, such as 10.0.0.0/8=200',
  (text) => {
    const [block = '', limit = '', ...rest] = text.split('=');
    const cidr = parseUnmappedCidr(block);
    return typeof cidr === 'string' || !/^\d{1,9}$/.test(limit) || rest.length > 0
      ? null
      : { cidr, limit: Number(limit) };
  },
  ({ cidr, limit }) => `${formatCidr(cidr)}=${limit}`,
);

const trustedProxy: SettingKind<TrustedProxy> = {
  ...cidrBlock,
  expected: `${cidrBlock.expected}, or the word unix for those that come through a unix socket`,
  read: (texts) => (texts.length === 1 && texts[0] === UNIX_PEER ? UNIX_PEER : cidrBlock.read(texts)),
  write: (proxy) => (proxy === UNIX_PEER ? proxy : cidrBlock.write(proxy)),
};

const basePath = plainText('a path such as /lurecheck, without a final slash', (text) =>
  /^(\/[A-Za-z0-9._~-]+)*$/.test(text) ? text : null,
);

/** A name as in a `Host` header, without its port, in the form that URLs have. */
const hostName = plainText('a host name without a port, such as check.example', (text) => {
  const url = URL.parse(`http://${text}`);
  return url?.href === `http://${url?.hostname}/` && !text.includes('/') ? url.hostname : null;
});

/** Settings of the HTTP server, without its listeners. */
export const SERVER_SETTINGS = {
  rate_limit: reloadable(
    setting(
      ['serve'],
      wholeNumber(0),
      20,
      'Maximum number of checks that one client may start in any 60 seconds; 0 disables the limit.',
    ),
  ),
  rate_limit_cidr: reloadable(
    setting(['serve'], listOf(cidrLimit), [], 'Rate limits for the clients of a network. The longest prefix wins.'),
  ),
  rate_limit_network: tuning(
    reloadable(
      setting(
        ['serve'],
        orNone(wholeNumber(0)),
        null,
        'Maximum number of checks in any 60 seconds for all clients of one IPv6 /48 together; 0 means unlimited, ten times rate_limit by default.',
      ),
    ),
  ),
  rate_limit_total: reloadable(
    setting(
      ['serve'],
      wholeNumber(0),
      0,
      'Maximum number of checks in any 60 seconds for all clients together; 0 means unlimited.',
    ),
  ),
  rate_limit_keys: tuning(
    setting(
      ['serve'],
      wholeNumber(1),
      100_000,
      'Number of clients that the limiter tracks exactly, and the same number of networks.',
    ),
  ),
  feedback_limit: tuning(
    reloadable(
      setting(
        ['serve'],
        wholeNumber(0),
        5,
        'Maximum number of feedback reports that one client may send in any 60 seconds, counted apart from checks; 0 disables the limit.',
      ),
    ),
  ),
  limiter: reloadable(
    setting(
      ['serve'],
      listOf(limiterAddress),
      [],
      'Redis or Valkey servers, tried in turn, in which nodes count clients together. A node counts alone if none is configured or reachable.',
    ),
  ),
  limiter_timeout_seconds: tuning(
    setting(
      ['serve'],
      numberBetween(0, 60),
      0.1,
      'Seconds to wait for the limiter, twice. Then the node counts alone until the limiter answers again.',
    ),
  ),
  trusted_proxy: setting(['serve'], listOf(trustedProxy), [], 'Proxies whose forwarded client address is trusted.'),
  ...AUTH_SETTINGS,
  host: setting(
    ['serve'],
    listOf(hostName),
    [],
    "Host names that the service answers to. By default IP addresses, localhost and the host's own name.",
  ),
  base_path: setting(
    ['serve', 'healthcheck', 'openapi', 'upgrade'],
    basePath,
    '',
    'Path below which a proxy publishes the service.',
  ),
  contact: reloadable(
    setting(
      ['serve'],
      orNone(plainText('an address')),
      null,
      'Contact of the operator, shown to clients that reach their limit. An e-mail address, https URL or phone number is also published in /.well-known/security.txt.',
    ),
  ),
  public_history: setting(
    ['serve'],
    booleanValue,
    true,
    'Serve the public scan history. Checks are logged either way.',
  ),
  default_private: setting(['serve'], booleanValue, false, 'Preselect a private check on the web page.'),
};

/** The settings of the HTTP side. */
export type ServerSettings = SettingValues<typeof SERVER_SETTINGS> &
  Pick<CheckSettings, 'deadline_seconds' | 'client_concurrency'> & { readonly network: 'full' | 'dns' | 'none' };
