import { type Cidr, formatCidr, parseUnmappedCidr } from '#src/core/base/addresses/ip.ts';
import { reread, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import {
  cidrBlock,
  listOf,
  numberBetween,
  orNone,
  plainText,
  type SettingKind,
  textOf,
  wholeNumber,
  yesOrNo,
} from '#src/core/base/settings/setting-kind.ts';
import type { CheckSettings } from '#src/checks/check/settings.ts';
import type { TrustedProxy } from '#src/core/base/addresses/client-address.ts';
import { limiterAddress } from './limiter/limiter-address.ts';
import { UNIX_PEER } from '#src/core/base/addresses/peer.ts';

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

/** A name as it stands in a `Host` header, without its port, in the form that URLs have. */
const hostName = plainText('a host name without a port, such as check.example', (text) => {
  const url = URL.parse(`http://${text}`);
  return url?.href === `http://${url?.hostname}/` && !text.includes('/') ? url.hostname : null;
});

/** What the operator decides about the HTTP side. Where it listens is not part of it. */
export const SERVER_SETTINGS = {
  rate_limit: reread(
    setting(
      ['serve'],
      wholeNumber(0),
      20,
      'Checks that one client may start in any 60 seconds; 0 switches the limit off.',
    ),
  ),
  rate_limit_cidr: reread(
    setting(['serve'], listOf(cidrLimit), [], 'Limits of their own for clients of a block; the narrowest wins.'),
  ),
  rate_limit_network: reread(
    setting(
      ['serve'],
      orNone(wholeNumber(0)),
      null,
      'Checks in any 60 seconds for all clients of one IPv6 /48 together; 0 for no ceiling, ten times rate_limit by default.',
    ),
  ),
  rate_limit_total: reread(
    setting(['serve'], wholeNumber(0), 0, 'Checks in any 60 seconds for all clients together; 0 for no ceiling.'),
  ),
  rate_limit_keys: setting(
    ['serve'],
    wholeNumber(1),
    100_000,
    'Clients that the limiter remembers exactly, and as many networks.',
  ),
  feedback_limit: reread(
    setting(
      ['serve'],
      wholeNumber(0),
      5,
      'Pieces of feedback that one client may give in any 60 seconds, apart from its checks; 0 switches the limit off.',
    ),
  ),
  limiter: setting(
    ['serve'],
    listOf(limiterAddress),
    [],
    'Redis or Valkey servers, tried in turn, in which all nodes that name them count their clients together; each counts alone where none is named, or all are away.',
  ),
  limiter_timeout_seconds: setting(
    ['serve'],
    numberBetween(0, 60),
    0.1,
    'Seconds for one answer of the limiter, after which the node counts alone until it answers again.',
  ),
  trusted_proxy: setting(['serve'], listOf(trustedProxy), [], 'Proxies whose forwarded client address is believed.'),
  host: setting(
    ['serve'],
    listOf(hostName),
    [],
    'Host names that the service answers to; where none is named, IP addresses, localhost and the name of this machine.',
  ),
  base_path: setting(
    ['serve', 'healthcheck', 'openapi', 'upgrade'],
    basePath,
    '',
    'Path below which a proxy publishes the service.',
  ),
  contact: reread(
    setting(
      ['serve'],
      orNone(plainText('an address')),
      null,
      'Contact of the operator, shown to clients that reach their limit; an e-mail address, https URL or phone number is published in /.well-known/security.txt, too.',
    ),
  ),
  public_history: setting(
    ['serve'],
    yesOrNo,
    true,
    'Whether the public scan history may be read; checks are logged all the same.',
  ),
  default_private: setting(['serve'], yesOrNo, false, 'What the web page proposes: a private check.'),
};

/** What the HTTP side goes by. */
export type ServerSettings = SettingValues<typeof SERVER_SETTINGS> &
  Pick<CheckSettings, 'deadline_seconds' | 'client_concurrency'>;
