import { parseIp } from '#src/core/base/addresses/ip.ts';
import { quoted } from '../quoted.ts';
import { eachLine, type ListFileItem, type ListFormat, listedEntry, skippedLine } from './list-format.ts';

/** A configuration of dnsmasq(8): `address=/host/` blocks a host and what is under it, as `server=` and `local=` do. */
export const dnsmasqFormat: ListFormat = {
  name: 'dnsmasq',
  recognises: (beginning) => beginning.some((line) => RULE.test(line)),
  read: eachLine(readRule),
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
  if (!leadsNowhere(kind, target))
    return [skippedLine(number, `${quoted(rule)} redirects to a host instead of blocking`)];
  return hosts.split('/').flatMap((host) => (host === '' ? [] : [listedEntry(host, number)]));
}

/** Returns true if such names have no address, or one that no host has. */
function leadsNowhere(kind: string, target: string): boolean {
  if (target === '' || (kind === 'address' && target === '#')) return true;
  const ip = kind === 'address' ? parseIp(target) : null;
  return ip !== null && (ip.value === 0n || (ip.family === 4 ? ip.value >> 24n === 127n : ip.value === 1n));
}
