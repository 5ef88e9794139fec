import { CHECKING, constant, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
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

/** A proxy, and what it asks of those who may use it. */
export interface ProxyEndpoint extends Endpoint {
  /** Name and password as `name:password` (RFC 7617); left out where the proxy asks for none. */
  readonly credentials?: string;
}

/** Credentials end at the last @, for a password may hold one. */
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

/** A name in the form in which names are looked up, without dots at its ends. */
const specialName = plainText('a name in ASCII', (text) => {
  const name = text.toLowerCase().replace(/^\.|\.$/g, '');
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name) ? name : null;
});

/** What the operator decides about the door. Metadata addresses and the service itself stay refused whatever is set. */
export const EGRESS_SETTINGS = {
  network: setting(
    CHECKING,
    oneOf(['full', 'dns', 'none']),
    'full',
    'What a check may use: everything that the egress policy allows, DNS alone, or not a single packet.',
  ),
  dns_server: setting(
    CHECKING,
    listOf(nameServer),
    [],
    "Resolvers, asked in turn; the system's own where none is named.",
  ),
  egress_allow: setting(CHECKING, listOf(cidrBlock), [], 'Blocks that checks may reach although they are not public.'),
  egress_deny: setting(CHECKING, listOf(cidrBlock), [], 'Blocks that checks never reach; wins over egress_allow.'),
  egress_port: setting(
    CHECKING,
    listOf(wholeNumber(1, 65535)),
    [],
    'Ports that checks may reach besides 80, 443, 8080 and 8443.',
  ),
  egress_name: setting(
    CHECKING,
    listOf(specialName),
    [],
    'Special names that checks may look up, such as corp or lab.internal, each with all names below it.',
  ),
  egress_ca: setting(
    CHECKING,
    orNone(plainText('a PEM file')),
    null,
    'File with certificates of authorities to trust beside the built-in ones.',
  ),
  egress_proxy: setting(
    CHECKING,
    orNone(proxy),
    null,
    'HTTP proxy that is asked to CONNECT; connections go out directly where none is named.',
  ),
  dns_timeout_seconds: setting(CHECKING, numberBetween(0, 60), 1, 'Seconds for one question to one resolver.'),
  dns_tries: constant(setting(CHECKING, wholeNumber(1, 10), 2, 'Times that a question is asked.')),
  dns_concurrency: constant(
    setting(CHECKING, wholeNumber(1), 64, 'DNS questions under way; public and private checks are counted apart.'),
  ),
  connect_timeout_seconds: setting(CHECKING, numberBetween(0, 60), 3, 'Seconds for TCP and TLS together.'),
  connections_per_address: setting(
    CHECKING,
    wholeNumber(1),
    2,
    'Connections to one site at one address at a time; public and private checks are counted apart.',
  ),
  header_bytes: constant(
    setting(CHECKING, wholeNumber(KIB, MIB), 256 * KIB, 'Bytes of response headers; browsers read as many.'),
  ),
  wire_bytes: constant(
    setting(CHECKING, wholeNumber(KIB, 256 * MIB), 4 * MIB, 'Bytes that one check reads from the network.'),
  ),
};

/** The values of {@link EGRESS_SETTINGS}, and how many bytes of a body are kept, which those who read pages decide. */
export type EgressSettings = SettingValues<typeof EGRESS_SETTINGS> & { readonly body_bytes: number };

/** How much of the network may be used. */
export type NetworkMode = EgressSettings['network'];
