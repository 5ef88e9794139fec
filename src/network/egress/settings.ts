import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { CHECKING, constant, type SettingValues, setting, tuning } from '#src/core/base/settings/setting.ts';
import {
  cidrBlock,
  listOf,
  numberBetween,
  oneOf,
  orNone,
  plainText,
  secret,
  textOf,
  wholeNumber,
} from '#src/core/base/settings/setting-kind.ts';
import { type Endpoint, formatEndpoint, parseEndpoint } from './endpoint.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

const nameServer = textOf(
  'an IP address with or without a port, such as 192.0.2.1 or [2001:db8::1]:53',
  (text) => parseEndpoint(text, 53),
  formatEndpoint,
);

/** An HTTP proxy with its credentials. */
export interface ProxyEndpoint extends Endpoint {
  /** Name and password as `name:password` (RFC 7617); absent if the proxy requires none. */
  readonly credentials?: string;
}

/** Credentials end at the last @, because a password may contain one. */
const PROXY = /^(?:([^:\n]+:.*)@)?([^@]+)$/;

const proxy = secret(
  textOf<ProxyEndpoint>(
    'an IP address with or without a port, such as 192.0.2.1:3128, and name:password@ before it where the proxy asks for them',
    (text) => {
      const [, credentials, address = ''] = PROXY.exec(text) ?? [];
      const endpoint = parseEndpoint(address, 3128);
      return typeof endpoint === 'string' || credentials === undefined ? endpoint : { ...endpoint, credentials };
    },
    ({ credentials, ...endpoint }) =>
      `${credentials === undefined ? '' : `${credentials.split(':', 1)[0]}:***@`}${formatEndpoint(endpoint)}`,
  ),
);

/** A name in lower case without leading or final dot. */
const specialName = plainText('a name in ASCII', (text) => {
  const name = text.toLowerCase().replace(/^\.|\.$/g, '');
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name) ? name : null;
});

/** Settings of the egress client. No setting allows metadata addresses or the service itself. */
export const EGRESS_SETTINGS = {
  network: setting(
    CHECKING,
    oneOf(['full', 'dns', 'none']),
    'full',
    'What a check may use: full (everything that the egress policy allows), dns (DNS only) or none (no packet).',
  ),
  dns_server: setting(CHECKING, listOf(nameServer), [], "DNS resolvers, tried in turn; the host's own by default."),
  egress_allow: setting(
    CHECKING,
    listOf(cidrBlock),
    [],
    'Networks that checks may reach although they are not public.',
  ),
  egress_deny: setting(
    CHECKING,
    listOf(cidrBlock),
    [],
    'Networks that checks never reach. Takes precedence over egress_allow.',
  ),
  egress_port: setting(
    CHECKING,
    listOf(wholeNumber(1, 65535)),
    [],
    'Ports that checks may reach in addition to 80, 443, 8080 and 8443.',
  ),
  egress_name: setting(
    CHECKING,
    listOf(specialName),
    [],
    'Special-use names that checks may resolve, such as corp or lab.internal, with all names below them.',
  ),
  egress_ca: setting(
    CHECKING,
    orNone(plainText('a PEM file')),
    null,
    'File with certificate authorities to trust in addition to the built-in ones.',
  ),
  egress_proxy: setting(
    CHECKING,
    orNone(proxy),
    null,
    'HTTP proxy for outgoing connections (CONNECT). Connections are direct by default.',
  ),
  dns_timeout_seconds: tuning(setting(CHECKING, numberBetween(0, 60), 1, 'Seconds for one query to one resolver.')),
  dns_tries: constant(setting(CHECKING, wholeNumber(1, 10), 2, 'Number of times that a DNS query is sent.')),
  dns_concurrency: constant(
    setting(
      CHECKING,
      wholeNumber(1),
      64,
      'Maximum number of DNS queries in flight; public and private checks are counted separately.',
    ),
  ),
  connect_timeout_seconds: tuning(setting(CHECKING, numberBetween(0, 60), 3, 'Seconds for TCP and TLS together.')),
  connections_per_address: tuning(
    setting(
      CHECKING,
      wholeNumber(1),
      2,
      'Maximum number of connections to one site at one address at a time; public and private checks are counted separately.',
    ),
  ),
  header_bytes: constant(
    setting(CHECKING, wholeNumber(KIB, MIB), 256 * KIB, 'Maximum size of response headers, in bytes, as in browsers.'),
  ),
  wire_bytes: constant(
    setting(
      CHECKING,
      wholeNumber(KIB, 256 * MIB),
      4 * MIB,
      'Maximum number of bytes that one check reads from the network.',
    ),
  ),
};

/** The values of {@link EGRESS_SETTINGS}, and the maximum body size, which is a setting of the HTML parser. */
export type EgressSettings = SettingValues<typeof EGRESS_SETTINGS> & { readonly body_bytes: number };

/** Which part of the network checks may use. */
export type NetworkMode = EgressSettings['network'];

/** Dependencies of `openEgress`. */
export interface EgressTools {
  readonly clock: Clock;
  readonly logger: Logger;
}
