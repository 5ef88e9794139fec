import { parseIp } from '#src/core/base/addresses/ip.ts';
import { quoted } from '../entry.ts';
import { leadsNowhere } from './hosts.ts';
import {
  eachLine,
  entryValue,
  type ListFileItem,
  type ListFormat,
  type ListLineReader,
  listedEntry,
  skippedLine,
} from './list-format.ts';

/** A configuration of dnsmasq(8): `address=/host/` blocks a host and what is under it, as `server=` and `local=` do. */
export const dnsmasqFormat: ListFormat = {
  name: 'dnsmasq',
  isLenient: true,
  read: eachLine(() => readRule),
};

const DNSMASQ_RULE = /^(address|server|local)=\/(.*)\/([^/]*)$/;

/** A line of a configuration: the long name of an option, and its value. */
const DNSMASQ_SETTING = /^[a-z][a-z\d-]*(?:\s*=.*)?$/;

function readRule(line: string, number: number): readonly ListFileItem[] {
  const rule = line.replace(/(?:^|\s)#.*/, '').trim();
  if (rule === '') return [];
  if (!DNSMASQ_SETTING.test(rule)) return [{ line: number, message: `${quoted(rule)} is not a setting of dnsmasq` }];
  const [found, kind = '', hosts = '', target = ''] = DNSMASQ_RULE.exec(rule) ?? [];
  if (found === undefined) return [skippedLine(number, `${quoted(rule)} blocks no host`)];
  if (!isBlocking(kind, target))
    return [skippedLine(number, `${quoted(rule)} redirects to a host instead of blocking`)];
  return hosts.split('/').flatMap((host) => (host === '' ? [] : [listedEntry(entryValue(host), number)]));
}

/** Returns true if the names are given no address, or one that no host has. */
function isBlocking(kind: string, target: string): boolean {
  if (target === '' || (kind === 'address' && target === '#')) return true;
  const ip = kind === 'address' ? parseIp(target) : null;
  return ip !== null && leadsNowhere(ip);
}

/**
 * A response policy zone (draft-vixie-dnsop-dns-rpz), as a resolver reads it and `lists export --format rpz` writes it. A name
 * that does not exist by it is blocked with what is under it; `rpz-passthru.` takes a name off the list.
 */
export const rpzFormat: ListFormat = {
  name: 'rpz',
  isLenient: true,
  read: eachLine(rpzReader),
};

const RECORD = /^(\S+)\s+(?:\d+\w?\s+)?(?:IN\s+)?([A-Z]+)\s+(\S+)/i;

/** Actions of CNAME targets. */
const ACTIONS: Readonly<Record<string, 'block' | 'allow'>> = {
  '.': 'block',
  '*.': 'block',
  'rpz-drop.': 'block',
  'rpz-passthru.': 'allow',
};

function rpzReader(): ListLineReader {
  let origin = '';
  let isInParentheses = false;

  return (line, number) => {
    const text = line.replace(/;.*/, '').trimEnd();
    const wasInParentheses = isInParentheses;
    if (text.includes('(')) isInParentheses = true;
    if (text.includes(')')) isInParentheses = false;
    const [, directive = '', value = ''] = /^\$(\w+)\s+(\S+)/.exec(text) ?? [];
    if (/^origin$/i.test(directive)) origin = value.toLowerCase().replace(/\.$/, '');
    if (text === '' || wasInParentheses || directive !== '') return [];
    const [, owner = '', type = '', target = ''] = RECORD.exec(text) ?? [];
    if (/^soa$/i.test(type) && owner.endsWith('.')) origin = owner.toLowerCase().slice(0, -1);
    // Records of the zone itself.
    if (/^(?:soa|ns)$/i.test(type) || /^\s/.test(text)) return [];
    const action = /^cname$/i.test(type) ? ACTIONS[target.toLowerCase()] : undefined;
    const name = within(owner.toLowerCase(), origin);
    if (action === undefined || /\.rpz-[a-z-]+$/.test(name))
      return [skippedLine(number, `${quoted(text.trim())} blocks no name`)];
    return [listedEntry(name.replace(/^\*\./, ''), number, { isException: action === 'allow' })];
  };
}

/** A name of a zone without that of the zone. */
function within(owner: string, origin: string): string {
  if (!owner.endsWith('.')) return owner;
  const name = owner.slice(0, -1);
  return origin !== '' && name.endsWith(`.${origin}`) ? name.slice(0, -origin.length - 1) : name;
}

/**
 * A configuration of unbound.conf(5): `local-zone: "host" always_nxdomain` blocks a host and what is under it, as
 * `local-data: "host A 0.0.0.0"` does.
 */
export const unboundFormat: ListFormat = { name: 'unbound', isLenient: true, read: eachLine(unboundReader) };

const UNBOUND_RULE = /^local-(zone|data):\s*(?:"([^"]*)"|'([^']*)'|(\S+))\s*(\S*)$/;
const UNBOUND_SETTING = /^[a-z][a-z\d-]*:(?:\s|$)/;

/** Types of zones whose names are answered as if they did not exist, or not at all. */
const BLOCKING = /^(?:static|refuse|deny|(?:inform_)?deny|always_(?:nxdomain|nodata|null|refuse|deny))$/;

function unboundReader() {
  /** A zone of the type `redirect`, which blocks unless its data lead to a host. */
  let pending: { readonly name: string; readonly line: number } | null = null;
  const settle = (): ListFileItem[] => {
    const items = pending === null ? [] : [listedEntry(pending.name, pending.line)];
    pending = null;
    return items;
  };
  const readLine = (line: string, number: number): readonly ListFileItem[] => {
    const text = line.replace(/(?:^|\s)#.*/, '').trim();
    if (text === '' || text === 'server:') return [];
    const [found, kind, double, single, bare = '', type = ''] = UNBOUND_RULE.exec(text) ?? [];
    const value = double ?? single ?? bare;
    if (found === undefined)
      return UNBOUND_SETTING.test(text)
        ? [skippedLine(number, `${quoted(text)} blocks no host`)]
        : [{ line: number, message: `${quoted(text)} is not a setting of unbound` }];
    if (kind === 'data') return readData(value, number);
    const name = nameOf(value);
    const before = settle();
    if (type === 'redirect') pending = { name, line: number };
    if (type === 'redirect') return before;
    const item = BLOCKING.test(type)
      ? listedEntry(name, number)
      : skippedLine(number, `${quoted(text)} blocks no host`);
    return [...before, item];
  };
  const readData = (record: string, number: number): readonly ListFileItem[] => {
    const [, owner = '', address = ''] = /^(\S+)\s+(?:\d+\s+)?(?:IN\s+)?A{1,4}\s+(\S+)$/i.exec(record) ?? [];
    const ip = parseIp(address);
    const isOfPending = pending !== null && nameOf(owner) === pending.name;
    if (ip !== null && leadsNowhere(ip)) return isOfPending ? settle() : [listedEntry(nameOf(owner), number)];
    if (isOfPending && ip !== null) pending = null;
    return [skippedLine(number, `${quoted(record)} does not lead nowhere`)];
  };
  return Object.assign(readLine, { end: settle });
}

const nameOf = (written: string) => written.replace(/\.$/, '');
