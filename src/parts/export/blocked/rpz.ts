import { type Cidr, formatIp } from '#src/core/base/addresses/ip.ts';
import {
  type BlockedPlace,
  type BlockListSubject,
  type BlockWriting,
  blockedPlaceOf,
  type Omission,
} from './block-list.ts';

/** Seconds for which a resolver may keep what the zone says. */
const TTL_SECONDS = 300;

/** Actions: `blocked` answers that the name does not exist; `allowed` exempts a name from a wider block. */
const ACTIONS = { blocked: 'CNAME .', allowed: 'CNAME rpz-passthru.' } as const;

/**
 * Writes a response policy zone for BIND, Unbound, Knot and PowerDNS: a blocked name, its subdomains, and names that
 * resolve to blocked addresses do not exist. Names are relative to the zone; the serial is the time in seconds, so that
 * it grows.
 */
export function* writeRpz(writing: BlockWriting): Generator<string> {
  yield rpzHead(writing);
  yield* rpzRecords(writing);
}

/** Returns the beginning of a zone: its serial, and after how many seconds a server asks for it again. */
export function rpzHead({ source, nowMs, refreshSeconds = 3600 }: Omit<BlockListSubject, 'zone'>): string {
  const serial = Math.floor(nowMs / 1000) % 2 ** 32;
  const retrySeconds = Math.min(600, refreshSeconds);
  return [
    `; What lurecheck on ${source} blocks, as a response policy zone.\n$TTL ${TTL_SECONDS}\n`,
    `@ SOA localhost. hostmaster.localhost. ${serial} ${refreshSeconds} ${retrySeconds} 604800 ${TTL_SECONDS}\n`,
    '@ NS localhost.\n',
  ].join('');
}

/** Writes the records of a zone behind its head. */
export function* rpzRecords({ blocked, allowed, zone, omit }: BlockWriting): Generator<string> {
  const written = new Set<string>();
  const isNew = (owner: string) => written.size < written.add(owner).size;
  for (const { entry } of blocked) {
    for (const owner of ownersOf(blockedPlaceOf(entry), zone, omit).filter(isNew))
      yield `${owner} ${ACTIONS.blocked}\n`;
  }
  for (const entry of allowed) {
    const owners = ownersOf(blockedPlaceOf(entry), zone, () => omit('within'));
    for (const owner of owners.filter(isNew)) yield `${owner} ${ACTIONS.allowed}\n`;
  }
}

function ownersOf(place: BlockedPlace, zone: string, omit: (reason: Omission) => void): string[] {
  if (place.kind === 'block') return [addressTrigger(place.block)];
  if (place.kind === 'name' && fitsBelow(place.name, zone)) {
    const name = zoneName(place.name);
    // `*.` adds two octets; wildcards over the limit of a name are left out.
    return place.hasSubdomains && fitsBelow(`*.${place.name}`, zone) ? [name, `*.${name}`] : [name];
  }
  omit(place.kind === 'name' ? 'name' : place.port === null ? 'url' : 'port');
  return [];
}

/** The bits of the prefix, then the parts of the address from behind, with `zz` where its text has `::`. */
function addressTrigger({ network, bits }: Cidr): string {
  const text = formatIp(network);
  const parts =
    network.family === 4
      ? text.split('.')
      : text
          .replace('::', ':zz:')
          .split(':')
          .filter((part) => part !== '');
  return `${[bits, ...parts.toReversed()].join('.')}.rpz-ip`;
}

/** Maximum length of a name and a label, in octets, including length octets and the root (RFC 1035, 3.1). */
const [MAX_NAME_OCTETS, MAX_LABEL_OCTETS] = [255, 63];

/** Returns true if DNS can represent a name below a zone; its first label may be a star. */
function fitsBelow(name: string, zone: string): boolean {
  const labels = name.replace(/^\*\./, '').split('.');
  const areSound = labels.every((label) => label !== '' && label !== '*' && label.length <= MAX_LABEL_OCTETS);
  return areSound && name.length + 1 + zone.length + 2 <= MAX_NAME_OCTETS;
}

/** A name as a zone file writes it (RFC 1035, 5.1). */
function zoneName(name: string): string {
  return name.replace(/[^a-z\d._-]/g, '\\$&');
}
