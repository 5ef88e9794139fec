import { parseIp } from '#src/core/base/addresses/ip.ts';
import { quoted } from '../quoted.ts';
import { entryValue } from './entry-value.ts';
import { leadsNowhere } from './hosts.ts';
import { eachLine, type ListFileItem, type ListFormat, listedEntry, skippedLine } from './list-format.ts';

/** A configuration of dnsmasq(8): `address=/host/` blocks a host and what is under it, as `server=` and `local=` do. */
export const dnsmasqFormat: ListFormat = {
  name: 'dnsmasq',
  isLenient: true,
  read: eachLine(() => readRule),
};

const RULE = /^(address|server|local)=\/(.*)\/([^/]*)$/;

/** A line of a configuration: the long name of an option, and its value. */
const SETTING = /^[a-z][a-z\d-]*(?:\s*=.*)?$/;

function readRule(line: string, number: number): readonly ListFileItem[] {
  const rule = line.replace(/(?:^|\s)#.*/, '').trim();
  if (rule === '') return [];
  if (!SETTING.test(rule)) return [{ line: number, message: `${quoted(rule)} is not a setting of dnsmasq` }];
  const [found, kind = '', hosts = '', target = ''] = RULE.exec(rule) ?? [];
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
