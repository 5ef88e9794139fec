import { quoted } from '../quoted.ts';
import { eachLine, type ListFormat, type ListLineReader, listedEntry, skippedLine } from './list-format.ts';

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
