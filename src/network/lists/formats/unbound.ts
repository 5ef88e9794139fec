import { parseIp } from '#src/core/base/addresses/ip.ts';
import { quoted } from '../quoted.ts';
import { leadsNowhere } from './hosts.ts';
import { eachLine, type ListFileItem, type ListFormat, listedEntry, skippedLine } from './list-format.ts';

/**
 * A configuration of unbound.conf(5): `local-zone: "host" always_nxdomain` blocks a host and what is under it, as
 * `local-data: "host A 0.0.0.0"` does.
 */
export const unboundFormat: ListFormat = { name: 'unbound', isLenient: true, read: eachLine(unboundReader) };

const RULE = /^local-(zone|data):\s*(?:"([^"]*)"|'([^']*)'|(\S+))\s*(\S*)$/;
const SETTING = /^[a-z][a-z\d-]*:(?:\s|$)/;

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
    const [found, kind, double, single, bare = '', type = ''] = RULE.exec(text) ?? [];
    const value = double ?? single ?? bare;
    if (found === undefined)
      return SETTING.test(text)
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
