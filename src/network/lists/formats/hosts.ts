import { type IpAddress, parseIp } from '#src/core/base/addresses/ip.ts';
import { quoted } from '../quoted.ts';
import { eachLine, type ListFileItem, type ListFormat, listedEntry, skippedLine } from './list-format.ts';

/** A hosts file (hosts(5)): an address, and the names that lead to it. Each stands for that host alone, with all its URLs. */
export const hostsFormat: ListFormat = {
  name: 'hosts',
  recognises: (beginning) => {
    const lines = beginning.filter((line) => !line.startsWith('#'));
    return lines.length > 0 && lines.every(isHostsLine);
  },
  read: eachLine(readHostsLine),
};

/** Lines of every hosts file about the host itself. */
const OF_THE_MACHINE =
  /^(?:localhost|local|broadcasthost|0\.0\.0\.0|ip6-[a-z]+|localhost\.localdomain|localhost[46])$/i;

function isHostsLine(line: string): boolean {
  const [address = '', name] = fieldsOf(line);
  return name !== undefined && addressIn(address) !== null;
}

function readHostsLine(line: string, number: number): readonly ListFileItem[] {
  const [address = '', ...names] = fieldsOf(line);
  if (address === '') return [];
  const ip = addressIn(address);
  if (ip === null || names.length === 0)
    return [{ line: number, message: `${quoted(line.trim())} is not a line of a hosts file` }];
  const blocked = names.filter((name) => !OF_THE_MACHINE.test(name));
  if (blocked.length === 0) return [];
  if (!leadsNowhere(ip)) return [skippedLine(number, `${quoted(line.trim())} maps to a host instead of blocking`)];
  const comment = /#(.*)/s.exec(line)?.[1]?.trim() || null;
  return blocked.map((name) => listedEntry(`http://${name}/`, number, { comment }));
}

/** Parses an address without its zone, as in `fe80::1%lo0`; null if the field is not an address. */
function addressIn(field: string): IpAddress | null {
  return parseIp(field.replace(/%.*/s, ''));
}

/** Returns true for an unspecified or loopback address: 0.0.0.0, 127.0.0.0/8, `::`, `::1`. */
function leadsNowhere({ family, value }: IpAddress): boolean {
  return family === 4 ? value === 0n || value >> 24n === 127n : value <= 1n;
}

function fieldsOf(line: string): string[] {
  return line
    .replace(/#.*$/s, '')
    .split(/\s+/)
    .filter((field) => field !== '');
}
