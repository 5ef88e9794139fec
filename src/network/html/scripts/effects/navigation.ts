import { percentDecode } from '#src/core/unwrap/decode-text.ts';
import { htmlOfDataAddress, parseRefresh, withoutLineBreaks } from '../../addresses.ts';
import { alternatives, type ElementValue, exactText, LOCATION, RANK, type Value } from '../constants/script-value.ts';
import { addAddress, exitsOfRank, writeValue } from './script-findings.ts';
import { type CodePlace, isConditional } from './script-reader.ts';

const MAX_ADDRESS = 8192;
const JAVASCRIPT_ADDRESS = /^\s{0,20}javascript:/i;

/** Takes the address to which a script goes: each alternative of it is an exit; an unknown one is stated. */
export function navigate(place: CodePlace, target: Value): void {
  for (const value of alternatives(target)) {
    // A page that leaves a frame goes to itself.
    if (value === LOCATION) {
      reload(place);
      continue;
    }
    const address = addressOf(value);
    if (address === null) {
      if (place.rank <= RANK.callback) place.reader.findings.movesAway = true;
    } else if (!openAddress(place, address)) {
      if (isPageItself(place.reader.url, address)) reload(place, address);
      else addExit(place, address);
    }
  }
}

function addExit(place: CodePlace, address: string): void {
  const { reader, rank } = place;
  const { findings } = reader;
  addAddress(findings, exitsOfRank(rank), address);
  if (rank === RANK.itself && !isConditional(place) && findings.scripted.has(address)) findings.immediate.add(address);
}

/** Takes a page that loads itself again, unless it goes to a place in it. */
export function reload({ reader: { findings }, rank }: CodePlace, address = ''): void {
  if (rank <= RANK.callback && !address.includes('#')) findings.reloads = true;
}

/** Takes a window that a script opens: most are opened by a click, so that only one that opens by itself is an exit. */
export function openWindow(place: CodePlace, target: Value, name: Value): void {
  if (/^_(?:self|top|parent)$/i.test(exactText(name) ?? '')) {
    navigate(place, target);
    return;
  }
  for (const value of alternatives(target)) {
    const address = addressOf(value);
    if (address === null || openAddress(place, address)) continue;
    if (place.rank === RANK.itself || place.rank === RANK.clicked)
      addAddress(place.reader.findings, exitsOfRank(place.rank), address);
  }
}

/** Reads the page or the script that an address carries; false if it carries none. */
export function openAddress(place: CodePlace, address: string): boolean {
  const url = withoutLineBreaks(address);
  if (JAVASCRIPT_ADDRESS.test(url)) {
    const shown = place.reader.readCode(percentDecode(url.replace(JAVASCRIPT_ADDRESS, '')), place.rank);
    if (exactText(shown) !== null) writeValue(place.reader.findings, shown, false);
    return true;
  }
  const markup = htmlOfDataAddress(url);
  if (markup !== null) writeValue(place.reader.findings, markup, false);
  return markup !== null || /^\s*(?:data|blob|about|mailto|tel):/i.test(url);
}

/** Takes a click on an element: a link leads on. */
export function clickElement(place: CodePlace, { attributes }: ElementValue): void {
  const href = attributes.get('href');
  if (href !== undefined) navigate(place, href);
}

/** Takes the `content` of a `meta` refresh that a script makes. */
export function refreshTo(place: CodePlace, content: string): void {
  const target = parseRefresh(content)?.target ?? '';
  if (target !== '') navigate(place, target);
}

/** Returns the address of a value, without spaces around it; null if the host or the path is unknown. */
function addressOf(value: Value): string | null {
  const text = exactText(value);
  if (text !== null) return text.length > MAX_ADDRESS && !/^\s*(?:data|javascript):/i.test(text) ? null : text.trim();
  if (value === null || typeof value !== 'object' || value.kind !== 'text') return null;
  const start = value.text.slice(0, Math.min(value.knownLength ?? 0, MAX_ADDRESS)).trim();
  // Of another site, the host decides; of the page's own site, the path.
  return /^(?:https?:)?[\\/]{2}[^\\/?#]+[\\/?#]|^[^?#]*[^?#:][?#]/i.test(start) ? start : null;
}

function isPageItself(url: string | null, address: string): boolean {
  if (address === '' || address.startsWith('#')) return true;
  if (url === null) return false;
  const resolved = URL.parse(address, url);
  const [there] = (resolved?.href ?? address).split('#', 1);
  return there === url.split('#', 1)[0];
}
