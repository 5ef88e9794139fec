import { networkInterfaces } from 'node:os';
import { type AddressClass, classifyAddress, embeddedIpv4 } from '#src/core/base/addresses/address-class.ts';
import { type Cidr, cidrContains, type IpAddress, parseIp, unmapIp } from '#src/core/base/addresses/ip.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { SPECIAL_TOP_LABELS } from '#src/core/knowledge/hosts/suffixes.ts';
import type { Endpoint } from '../endpoint.ts';
import type { EgressSettings } from '../settings.ts';

const LABEL = /^[a-z0-9_-]+$/;

/** Why a name must not be resolved. */
export type NameRefusal = 'name-syntax' | 'name-length' | 'single-label' | 'special-tld';

/** Checks a lower-case ASCII name without its final dot before it is resolved; null if it may be. */
export function refuseName(name: string, allowed: readonly string[]): NameRefusal | null {
  const labels = name.split('.');
  if (labels.some((label) => label.length > 63) || name.length > 253) return 'name-length';
  if (!labels.every((label) => LABEL.test(label))) return 'name-syntax';
  const top = labels.at(-1) ?? '';
  // Some resolvers read such a name as an IPv4 address. No top-level domain is a number (RFC 3696 §2).
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(top)) return 'name-syntax';
  if (allowed.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))) return null;
  // Underscored labels (RFC 8552) hold attributes of the name below them, and do not count.
  if (labels.filter((label) => !label.startsWith('_')).length <= 1) return 'single-label';
  return SPECIAL_TOP_LABELS.has(top) ? 'special-tld' : null;
}

/** Why the policy denies something. Becomes the detail of a failure, which only the operator sees. */
export interface Denial {
  readonly reason: Exclude<AddressClass, 'public'> | NameRefusal | 'port' | 'self' | 'configured' | 'not-an-address';
  readonly detail: string;
  /** True if the denied address comes from DNS, and not from the URL. */
  readonly isResolved?: boolean;
  /** True if the name has both public and special-purpose addresses. */
  readonly isMixed?: boolean;
}

/** The egress policy. Every method returns a denial, or null if access is allowed. */
export interface Policy {
  checkAddress(address: string, port: number): Denial | null;
  /** Returns the first denial among the addresses of a name: one denied address denies the name. */
  checkAddresses(name: string, addresses: readonly string[], port: number): Denial | null;
  /**
   * Checks the host of a URL before DNS: a name, or an address without brackets. `protocolPort` is allowed in addition
   * to the policy's ports.
   */
  checkHost(host: string, port: number, protocolPort?: number): Denial | null;
  /** Checks a name without resolving it. */
  checkName(name: string): Denial | null;
  checkPort(port: number): Denial | null;
  denySelf(endpoint: Endpoint): void;
}

/** The web ports, and the two alternatives that public sites commonly use. */
const WEB_PORTS = [80, 443, 8080, 8443];

/** Creates the policy of the settings. */
export function createPolicy(
  settings: Pick<EgressSettings, 'egress_allow' | 'egress_deny' | 'egress_port' | 'egress_name'>,
): Policy {
  const ports = new Set([...WEB_PORTS, ...settings.egress_port]);
  const self: Endpoint[] = [];

  const checkIp = (ip: IpAddress, port: number): Denial['reason'] | null => {
    const plain = unmapIp(ip);
    const kind = classifyAddress(ip);
    if (kind === 'metadata') return 'metadata';
    if (self.some((own) => own.port === port && isOwn(own.address, plain))) return 'self';
    if (contains(settings.egress_deny, plain)) return 'configured';
    // An address must be allowed in its plain form, so that there is one entry for it.
    if (plain !== ip) return kind === 'public' ? 'ipv4-mapped' : kind;
    if (contains(settings.egress_allow, ip)) {
      const carried = embeddedIpv4(ip);
      return carried && checkIp(carried, port);
    }
    return kind === 'public' ? null : kind;
  };

  const policy: Policy = {
    checkAddress(address, port) {
      const ip = parseIp(address);
      const reason = ip ? checkIp(ip, port) : 'not-an-address';
      return reason && { reason, detail: address };
    },
    checkAddresses(name, addresses, port) {
      const denials = addresses.map((address) => policy.checkAddress(address, port));
      const at = denials.findIndex((denial) => denial !== null);
      const denial = denials[at];
      if (!denial) return null;
      const rest = addresses.length > 1 ? `, one of ${addresses.length} addresses` : '';
      return {
        reason: denial.reason,
        detail: `${name} resolves to ${addresses[at]}${rest}`,
        isResolved: true,
        isMixed: denials.includes(null) && isSpecialKind(denial.reason),
      };
    },
    checkHost(host, port, ownPort) {
      const denial = parseIp(host) ? policy.checkAddress(host, port) : policy.checkName(host);
      return denial ?? (port === ownPort ? null : policy.checkPort(port));
    },
    checkName(name) {
      const reason = refuseName(name, settings.egress_name);
      return reason && { reason, detail: name };
    },
    checkPort: (port) => (ports.has(port) ? null : { reason: 'port', detail: String(port) }),
    denySelf: (endpoint) => {
      self.push(endpoint);
    },
  };
  return policy;
}

/** Throws the failure of a denial; does nothing for null. */
export function enforce(denial: Denial | null): void {
  if (!denial) return;
  const ofName = denial.isMixed ? 'egress_denied_mixed' : 'egress_denied_name';
  throw new FailureError(denial.isResolved ? ofName : 'egress_denied', `${denial.reason}: ${denial.detail}`, {
    denied: denial.reason,
  });
}

/**
 * Returns whether a denial is due to the class of the address, and not to a setting or to the service's own sockets.
 */
export function isSpecialKind(reason: string): boolean {
  return reason !== 'configured' && reason !== 'self';
}

function contains(blocks: readonly Cidr[], ip: IpAddress): boolean {
  return blocks.some((cidr) => cidrContains(cidr, ip));
}

/**
 * Returns whether `ip` is the address of a listening socket. A socket on an unspecified address or on a name may answer
 * on every address of this host.
 */
function isOwn(listening: string, ip: IpAddress): boolean {
  const own = parseIp(listening);
  const kind = classifyAddress(ip);
  // Connecting to the unspecified address connects to this host.
  if (kind === 'unspecified') return true;
  if (own && own.value !== 0n) return isSameAddress(unmapIp(own), ip);
  // All of 127.0.0.0/8 is this host, although the interface lists one address.
  if (kind === 'loopback') return true;
  const here = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return here.map(({ address }) => parseIp(address)).some((one) => one !== null && isSameAddress(one, ip));
}

function isSameAddress(a: IpAddress, b: IpAddress): boolean {
  return a.family === b.family && a.value === b.value;
}
