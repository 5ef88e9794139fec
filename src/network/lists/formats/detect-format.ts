import { setImmediate } from 'node:timers/promises';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import { isObject } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { quoted } from '../entry.ts';
import type { ListFormatName } from '../settings.ts';
import { readStoredEntry } from '../stored/stored-entry.ts';
import { adblockFormat, isAdblockLine } from './adblock.ts';
import { CSV_SEPARATORS, cellsOfRows, csvFormat, layoutOf } from './csv/csv-list.ts';
import { dnsmasqFormat, rpzFormat, unboundFormat } from './dns-servers.ts';
import { hostsFormat, leadsNowhere, plainFormat } from './hosts.ts';
import { isJsonRecord, jsonFormat, ndjsonFormat } from './json/json-list.ts';
import { mispFormat } from './json/misp-warninglist.ts';
import { stixFormat } from './json/stix-bundle.ts';
import { isBadLine, ListFileError, type ListFileItem, type ListFormat } from './list-format.ts';

/** Formats of lines, in order of preference if they can read equally many lines. */
const OF_LINES = [plainFormat, hostsFormat, dnsmasqFormat, unboundFormat, rpzFormat];

/** Every format of a list by its name. */
export const ALL_LIST_FORMATS: Readonly<Record<ListFormatName, ListFormat>> = {
  ...{ stix: stixFormat, misp: mispFormat, json: jsonFormat, ndjson: ndjsonFormat, csv: csvFormat },
  ...{ dnsmasq: dnsmasqFormat, unbound: unboundFormat, rpz: rpzFormat, adblock: adblockFormat },
  ...{ hosts: hostsFormat, plain: plainFormat },
};

/**
 * Returns the format that reads most of the first lines of a file, none of which is blank.
 *
 * @throws ListFileError for a table or JSON whose columns or members are all unknown
 */
export async function detectFormat(lines: readonly string[]): Promise<ListFormat> {
  if (/^(?:\{|\[\s*(?:[{"[\]]|$))/.test(lines[0] ?? '')) return jsonFormatOf(lines);
  const layout = await layoutOf(lines);
  if (layout?.header) return csvFormat;
  const isFilterList = lines.some(isAdblockLine);
  const candidates = [...(isFilterList ? [adblockFormat] : []), ...OF_LINES, ...(layout === null ? [] : [csvFormat])];
  let [best, most]: [ListFormat, number] = [plainFormat, 0];
  for (const format of candidates) {
    // Others get a turn between two attempts.
    await setImmediate();
    const count = await linesRead(format, lines);
    if (count > most) [best, most] = [format, count];
  }
  if (most > 0) return best;
  if (isFilterList) return adblockFormat;
  await refuseUnknownColumns(lines);
  return plainFormat;
}

function jsonFormatOf(lines: readonly string[]): ListFormat {
  const [first = '', second = ''] = lines;
  const object = parseJson(first);
  const isLines = lines.length > 1 ? isObject(parseJson(second)) : isJsonRecord(object);
  if (isObject(object) && isLines) return ndjsonFormat;
  const text = lines.join('\n');
  if (/"objects"\s*:\s*\[|"type"\s*:\s*"bundle"/.test(text)) return stixFormat;
  return /"matching_attributes"\s*:|"list"\s*:\s*\[\s*"/.test(text) ? mispFormat : jsonFormat;
}

async function linesRead(format: ListFormat, lines: readonly string[]): Promise<number> {
  async function* bytes() {
    yield Buffer.from(`${lines.join('\n')}\n`);
  }
  const read = new Set<number>();
  for await (const items of format.read(bytes(), lines))
    for (const item of items) if (isEntry(item)) read.add(item.line);
  return read.size;
}

/** Returns true for an entry that is a URL, an address of a host, or a host with a dot: one word may be of any text. */
function isEntry(item: ListFileItem): boolean {
  if (isBadLine(item) || !/[.:]/.test(item.value) || 'problem' in readStoredEntry(item.value)) return false;
  const ip = parseIp(item.value);
  return ip === null || !leadsNowhere(ip);
}

/** Refuses lines of which each has the same number of cells, more than two. */
async function refuseUnknownColumns(lines: readonly string[]): Promise<void> {
  for (const separator of CSV_SEPARATORS) {
    const rows = (await cellsOfRows(lines, separator)).slice(0, 10);
    const [first = []] = rows;
    if (rows.length < 2 || first.length < 3 || rows.some(({ length }) => length !== first.length)) continue;
    throw new ListFileError(
      `is CSV without a known column for a URL, host or address, such as url or domain; its columns are ${first.slice(0, 12).map(quoted).join(', ')}`,
    );
  }
}
