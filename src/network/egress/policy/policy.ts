import { networkInterfaces } from 'node:os';
import { type AddressClass, carriedIpv4, classifyAddress } from '#src/core/base/addresses/address-class.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { type Cidr, cidrContains, type IpAddress, parseIp, unmapIp } from '#src/core/base/addresses/ip.ts';
import type { Endpoint } from '../endpoint.ts';
import type { EgressSettings } from '../settings.ts';
import { type NameRefusal, refuseName } from './special-name.ts';

/** Why something is refused. Both become the detail of a failure, which is for the operator alone. */
export interface Denial {
  readonly reason: Exclude<AddressClass, 'public'> | NameRefusal | 'port' | 'self' | 'configured' | 'not-an-address';
  readonly detail: string;
  /** Whether it is what a name leads to that is refused, which only who asks DNS can know. */
  readonly isResolved?: boolean;
  /** True where the name has public addresses beside one of a special kind. */
  readonly isMixed?: boolean;
}

/** What may be reached. Every answer is a reason, or null where nothing speaks against it. */
export interface Policy {
  judgeAddress(address: string, port: number): Denial | null;
  /** The first refusal among all addresses of a name: one bad address refuses the name. */
  judgeAddresses(name: string, addresses: readonly string[], port: number): Denial | null;
  /**
   * A host as it stands in a URL, before DNS is asked: a name, or an address without brackets. `ownPort` is allowed
   * beside the policy's ports.
   */
  judgeHost(host: string, port: number, ownPort?: number): Denial | null;
  /** A name in itself, whatever it resolves to. */
  judgeName(name: string): Denial | null;
  judgePort(port: number): Denial | null;
  denySelf(endpoint: Endpoint): void;
}

/** The ports of the web, and the two alternatives that public sites commonly use. */
const WEB_PORTS = [80, 443, 8080, 8443];

/** The policy that the operator's settings describe. */
export function createPolicy(
  settings: Pick<EgressSettings, 'egress_allow' | 'egress_deny' | 'egress_port' | 'egress_name'>,
): Policy {
  const ports = new Set([...WEB_PORTS, ...settings.egress_port]);
  const self: Endpoint[] = [];

  const judgeIp = (ip: IpAddress, port: number): Denial['reason'] | null => {
    const plain = unmapIp(ip);
    const kind = classifyAddress(ip);
    if (kind === 'metadata') return 'metadata';
    if (self.some((own) => own.port === port && isOwn(own.address, plain))) return 'self';
    if (contains(settings.egress_deny, plain)) return 'configured';
    // Two spellings of one address would be two things to allow; the plain one is enough.
    if (plain !== ip) return kind === 'public' ? 'ipv4-mapped' : kind;
    if (contains(settings.egress_allow, ip)) {
      const carried = carriedIpv4(ip);
      return carried && judgeIp(carried, port);
    }
    return kind === 'public' ? null : kind;
  };

  const policy: Policy = {
    judgeAddress(address, port) {
      const ip = parseIp(address);
      const reason = ip ? judgeIp(ip, port) : 'not-an-address';
      return reason && { reason, detail: address };
    },
    judgeAddresses(name, addresses, port) {
      const denials = addresses.map((address) => policy.judgeAddress(address, port));
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
    judgeHost(host, port, ownPort) {
      const denial = parseIp(host) ? policy.judgeAddress(host, port) : policy.judgeName(host);
      return denial ?? (port === ownPort ? null : policy.judgePort(port));
    },
    judgeName(name) {
      const reason = refuseName(name, settings.egress_name);
      return reason && { reason, detail: name };
    },
    judgePort: (port) => (ports.has(port) ? null : { reason: 'port', detail: String(port) }),
    denySelf: (endpoint) => {
      self.push(endpoint);
    },
  };
  return policy;
}

/** Turns a refusal into the failure that a probe reports. */
export function enforce(denial: Denial | null): void {
  if (!denial) return;
  const ofName = denial.isMixed ? 'egress_denied_mixed' : 'egress_denied_name';
  throw new FailureError(denial.isResolved ? ofName : 'egress_denied', `${denial.reason}: ${denial.detail}`);
}

/** Whether a refusal comes from the kind of the address, and not from what the operator or the service itself wants. */
export function isSpecialKind(reason: string): boolean {
  return reason !== 'configured' && reason !== 'self';
}

function contains(blocks: readonly Cidr[], ip: IpAddress): boolean {
  return blocks.some((cidr) => cidrContains(cidr, ip));
}

/**
 * Whether `ip` is the address of a listening socket; one that listens everywhere answers at all our addresses, and so
 * may one that was told a name to listen at.
 */
function isOwn(listening: string, ip: IpAddress): boolean {
  const own = parseIp(listening);
  const kind = classifyAddress(ip);
  // To connect to the unspecified address is to connect to this machine.
  if (kind === 'unspecified') return true;
  if (own && own.value !== 0n) return same(unmapIp(own), ip);
  // Every address of 127.0.0.0/8 leads here, though the interface names one of them.
  if (kind === 'loopback') return true;
  const here = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return here.map(({ address }) => parseIp(address)).some((one) => one !== null && same(one, ip));
}

function same(a: IpAddress, b: IpAddress): boolean {
  return a.family === b.family && a.value === b.value;
}
