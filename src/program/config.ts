import { type Cidr, formatCidr, parseIp, parseUnmappedCidr } from '#src/base/ip.ts';
import { LOG_LEVELS } from '#src/base/logger.ts';
import { listOf, numberBetween, oneOf, type SettingKind, textOf, wholeNumber, yesOrNo } from '#src/base/setting.ts';
import { readSettings, type Setting, type SettingSources, type SettingValues } from '#src/base/setting-reader.ts';
import { type Endpoint, formatEndpoint, parseEndpoint } from '#src/egress/endpoint.ts';
import { HOST_PROBE_NAMES } from '#src/probes/observations.ts';
import { parseRdapServer, parseWhoisServer, type SuffixServer } from '#src/registry/directory.ts';

/** Where the service listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A limit for the clients of one block. */
export interface CidrLimit {
  readonly cidr: Cidr;
  readonly limit: number;
}

function setting<T>(kind: SettingKind<T>, fallback: NoInfer<T>, description: string): Setting<T> {
  return { kind, default: fallback, description };
}

/** A setting that may be left out: null then. */
function optional<T>(kind: SettingKind<T>, description: string): Setting<T | null> {
  return { kind: { ...kind, write: (value) => (value === null ? '' : kind.write(value)) }, default: null, description };
}

const text = (expected: string) => textOf<string>(expected, (value) => (value === '' ? null : value), String);

/** A reader that answers with a reason, as one that answers with null. */
const fromReason =
  <T>(parse: (text: string) => T | string) =>
  (value: string): T | null => {
    const parsed = parse(value);
    return typeof parsed === 'string' ? null : parsed;
  };

const listenAddress = textOf<ListenAddress>(
  'an address and a port, such as 127.0.0.1:8080 or [::1]:8080',
  (value) => {
    const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(value) ?? [];
    const bare = host.replace(/^\[(.*)\]$/, '$1');
    const isHost = parseIp(bare) !== null || /^[a-z0-9.-]+$/i.test(bare);
    return isHost && Number(port) <= 65535 ? { host: bare, port: Number(port) } : null;
  },
  ({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`,
);

const cidr = textOf<Cidr>(
  'a CIDR block without bits behind its prefix, such as 10.0.0.0/8',
  fromReason(parseUnmappedCidr),
  formatCidr,
);

const cidrLimit = textOf<CidrLimit>(
  'a CIDR block and its limit, such as 10.0.0.0/8=200',
  (value) => {
    const [block = '', limit = '', ...rest] = value.split('=');
    const parsed = parseUnmappedCidr(block);
    return typeof parsed === 'string' || !/^\d{1,9}$/.test(limit) || rest.length > 0
      ? null
      : { cidr: parsed, limit: Number(limit) };
  },
  ({ cidr: block, limit }) => `${formatCidr(block)}=${limit}`,
);

const basePath = textOf<string>(
  'a path such as /lurecheck, without a final slash',
  (value) => (/^(\/[A-Za-z0-9._~-]+)*$/.test(value) ? value : null),
  String,
);

const nameServer = textOf<Endpoint>(
  'an IP address with or without a port, such as 192.0.2.1 or [2001:db8::1]:53',
  fromReason((value) => parseEndpoint(value, 53)),
  formatEndpoint,
);

const proxy = textOf<Endpoint>(
  'an IP address with or without a port, such as 192.0.2.1:3128',
  fromReason((value) => parseEndpoint(value, 3128)),
  formatEndpoint,
);

const suffixServer = (expected: string, parse: (text: string) => SuffixServer | string) =>
  textOf<SuffixServer>(expected, fromReason(parse), ({ suffix, server }) => `${suffix}=${server}`);

const seconds = (most: number) => numberBetween(0, most);
const KIB = 1024;
const MIB = 1024 * KIB;

/** Every setting: its key is the name in a TOML file; the flag and the environment variable follow from it. */
export const SETTINGS = {
  listen: setting(listenAddress, { host: '127.0.0.1', port: 8080 }, 'Where to serve; port 0 picks a free one.'),
  data_dir: setting(text('a folder'), './data', 'Folder of the two logs; made if it is missing.'),
  retention_days: setting(wholeNumber(0), 0, 'Days for which checks stay in the logs; 0 keeps them for good.'),
  network: setting(
    oneOf(['full', 'dns', 'none']),
    'full',
    'What a check may use: everything that the egress policy allows, DNS alone, or not a single packet.',
  ),
  rate_limit: setting(
    wholeNumber(0),
    20,
    'Checks that one client may start in any 60 seconds; 0 switches the limit off.',
  ),
  rate_limit_cidr: setting(listOf(cidrLimit), [], 'Limits of their own for clients of a block; the narrowest wins.'),
  rate_limit_total: setting(wholeNumber(0), 0, 'Checks in any 60 seconds for all clients together; 0 for no ceiling.'),
  rate_limit_keys: setting(wholeNumber(1), 100_000, 'Clients that the limiter remembers exactly.'),
  trusted_proxy: setting(listOf(cidr), [], 'Proxies whose forwarded client address is believed.'),
  host: setting(listOf(text('a host name')), [], 'Host names that the service answers to; any where none is named.'),
  base_path: setting(basePath, '', 'Path below which a proxy publishes the service.'),
  contact: optional(text('an address'), 'Whom to ask for a higher limit; told to those who reach theirs.'),
  warn_threshold: optional(numberBetween(0, 1), "Probability from which on to warn; the model's own by default."),
  block_threshold: optional(numberBetween(0, 1), "Probability from which on to block; the model's own by default."),
  base_rate: setting(numberBetween(0, 1), 0.05, 'Share of malicious URLs expected among those that are checked.'),
  public_history: setting(
    yesOrNo,
    true,
    'Whether the public scan history may be read; checks are logged all the same.',
  ),
  default_private: setting(yesOrNo, false, 'What the web page proposes: a private check.'),
  log_level: setting(oneOf(LOG_LEVELS), 'info', 'The mildest diagnostics that are written to stderr.'),
  dns_server: setting(listOf(nameServer), [], "Resolvers, asked in turn; the system's own where none is named."),
  egress_allow: setting(listOf(cidr), [], 'Blocks that checks may reach although they are not public.'),
  egress_deny: setting(listOf(cidr), [], 'Blocks that checks never reach; wins over egress_allow.'),
  egress_port: setting(
    listOf(wholeNumber(1, 65535)),
    [],
    'Ports that checks may reach besides 80, 443, 8080 and 8443.',
  ),
  egress_name: setting(
    listOf(text('a name')),
    [],
    'Special names that checks may look up, such as corp or lab.internal.',
  ),
  egress_ca: optional(text('a PEM file'), 'File with certificates of authorities to trust beside the built-in ones.'),
  egress_proxy: optional(
    proxy,
    'HTTP proxy that is asked to CONNECT; connections go out directly where none is named.',
  ),
  rdap_server: setting(
    listOf(suffixServer('suffix=URL, such as com=https://rdap.example/', parseRdapServer)),
    [],
    'RDAP servers that win over the built-in ones.',
  ),
  whois_server: setting(
    listOf(suffixServer('suffix=host, such as com=whois.example', parseWhoisServer)),
    [],
    'WHOIS servers that win over the built-in ones.',
  ),
  block_list: setting(listOf(text('a file')), [], 'Files with hosts and URLs to block, one a line.'),
  allow_list: setting(listOf(text('a file')), [], 'Files with hosts and URLs to allow, one a line.'),
  probe_off: setting(listOf(oneOf([...HOST_PROBE_NAMES, 'page'])), [], 'Look-ups that are never made.'),
  dns_timeout_seconds: setting(seconds(60), 1, 'Seconds for one question to one resolver.'),
  dns_tries: setting(wholeNumber(1, 10), 2, 'Times that a question is asked.'),
  dns_concurrency: setting(wholeNumber(1), 64, 'DNS questions under way in the whole process.'),
  connect_timeout_seconds: setting(seconds(60), 3, 'Seconds for TCP and TLS together.'),
  registry_timeout_seconds: setting(
    seconds(60),
    3,
    'Seconds for asking about a registration over RDAP, and as long over WHOIS.',
  ),
  connections_per_address: setting(wholeNumber(1), 2, 'Connections to one address at a time.'),
  header_bytes: setting(wholeNumber(KIB, MIB), 256 * KIB, 'Bytes of response headers; browsers read as many.'),
  wire_bytes: setting(wholeNumber(KIB, 256 * MIB), 4 * MIB, 'Bytes that one check reads from the network.'),
  body_bytes: setting(wholeNumber(KIB, 64 * MIB), 2 * MIB, 'Bytes of a page that are kept after decompression.'),
  html_timeout_seconds: setting(seconds(60), 1, 'Seconds for reading one page.'),
  check_concurrency: setting(wholeNumber(1), 16, 'Checks that may look at the network at a time.'),
  queue_length: setting(wholeNumber(0), 100, 'Checks that may wait for their turn before others are refused.'),
  deadline_seconds: setting(numberBetween(0, 600), 8, 'Seconds after which a check answers with what it has.'),
} as const;

/** The value of every setting. */
export type Config = SettingValues<typeof SETTINGS>;

/** The key of every setting, in the order of the table. */
export const SETTING_KEYS = Object.keys(SETTINGS) as (keyof Config)[];

/** Keys that are no settings but may stand beside them. */
const BESIDES = ['config'];

/**
 * Reads the configuration from all its sources.
 *
 * @throws SettingsError with every problem at once.
 */
export function readConfig(sources: SettingSources): Config {
  return readSettings(SETTINGS, sources, BESIDES);
}

/** The environment of this process; the only place that reads it. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
