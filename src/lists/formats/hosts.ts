import { parseIp } from '#src/base/ip.ts';
import type { ListFileEntry, ListFormat } from './list-format.ts';

/** A hosts file (hosts(5)): an address, and the names that lead to it. Each stands for that host alone, with all its URLs. */
export const hostsFormat: ListFormat = {
  name: 'hosts',
  recognises: (beginning) => beginning.filter((line) => !line.startsWith('#')).every((line) => isHostsLine(line)),
  read: { byLine: () => readHostsLine },
};

/** What every hosts file says of the machine itself. */
const OF_THE_MACHINE =
  /^(?:localhost|local|broadcasthost|0\.0\.0\.0|ip6-[a-z]+|localhost\.localdomain|localhost[46])$/i;

function isHostsLine(line: string): boolean {
  const [address = '', name] = fieldsOf(line);
  return name !== undefined && parseIp(address.replace(/%.*$/, '')) !== null;
}

const readHostsLine = (line: string, number: number) => {
  const fields = fieldsOf(line);
  if (fields.length === 0) return [];
  if (!isHostsLine(line))
    return [{ line: number, message: `${JSON.stringify(line.trim().slice(0, 80))} is no line of a hosts file` }];
  const comment = /#\s*(.*)$/.exec(line)?.[1]?.trim() ?? '';
  return fields
    .slice(1)
    .filter((name) => !OF_THE_MACHINE.test(name))
    .map(
      (name): ListFileEntry => ({
        ...{ value: `http://${name}/`, line: number, expiresAtMs: null, source: null, isException: false },
        comment: comment === '' ? null : comment,
      }),
    );
};

function fieldsOf(line: string): string[] {
  return line
    .replace(/#.*$/s, '')
    .split(/\s+/)
    .filter((field) => field !== '');
}
