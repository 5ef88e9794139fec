import type { ScriptMark } from '../document.ts';
import { decodeScriptString } from './script-decode.ts';
import { scriptExits, sendsForm } from './script-exits.ts';
import { type ScriptString, stringArguments } from './script-strings.ts';

/** Facts about one inline script, without running it. */
export interface ScriptFacts {
  readonly marks: readonly ScriptMark[];
  readonly endpoints: readonly string[];
  /** Addresses, as written, to which the script navigates without a user action. */
  readonly exits: readonly string[];
  /** True if it sends a form by itself. */
  readonly sendsForm: boolean;
  /** Markup that it writes into the page where it stands, or spells out in encoded form for later. */
  readonly written: readonly string[];
}

const PATTERNS: readonly (readonly [ScriptMark, RegExp])[] = [
  ['blocks_context_menu', /contextmenu["']?\s{0,9}[=,)][^;]{0,200}(?:return false|preventDefault)/i],
  [
    'blocks_developer_tools',
    /(?:keyCode|which)\s{0,9}={2,3}\s{0,9}123\b|\.key\s{0,9}={2,3}\s{0,9}["']F12["']|disable-?devtool|debugger[^}]{0,200}setInterval|setInterval[^}]{0,200}debugger/i,
  ],
  ['packed', /eval\s{0,9}\(\s{0,9}function\s{0,9}\(p,\s?a,\s?c,\s?k,\s?e,/],
  ['evaluates_encoded_text', /eval\s{0,9}\(\s{0,9}(?:unescape|atob|decodeURIComponent|String\.fromCharCode)\b/],
  [
    'reads_email_from_address',
    /location\.hash[^;]{0,200}(?:atob|email|['"]@['"])|(?:email|user)\w{0,20}\s{0,9}=[^;]{0,80}location\.hash/i,
  ],
  ['posts_by_script', /\$\.post\s{0,9}\(|\.ajax\s{0,9}\(|\bfetch\s{0,9}\(|XMLHttpRequest|\baxios\b|sendBeacon/],
  ['looks_for_bots', /navigator\.webdriver|HeadlessChrome|phantomjs|_phantom\b|googlebot/i],
  [
    'redirects',
    /(?:window|document|top|self|parent)\.location(?:\.href)?\s{0,9}=[^=]|\blocation\.(?:replace|assign)\s{0,9}\(|\blocation\.href\s{0,9}=[^=]/,
  ],
];

/** Names that a well-known obfuscator generates; ordinary pages have none. */
const HEX_IDENTIFIER = /\b_0x[0-9a-f]{4,6}\b/g;
const HEX_IDENTIFIERS_TO_COUNT = 10;

const CONTENT = /<(?:html|head|body|title|form|input|div|table|h\d|p|img|meta)\b/i;

/** Code rather than markup. */
const WRITES = /^\s*[^<\s][\s\S]*(?:document\.write|innerHTML|eval|location)/;

/** Text that every script with a navigation contains. */
const MOVES = /\b(?:location|navigation)\b|\bopen\s{0,20}\(/;

const ADDRESS = /https?:(?:\\?\/){2}[\w.-]{3,253}(?::\d{1,5})?(?:[^\s"'`<>)\\]|\\\/){0,300}/gi;
const MAX_ADDRESSES = 200;
const MAX_NESTING = 2;

/** Looks into a script, and into the scripts that it spells out in encoded form, two levels deep. */
export function readScript(script: string, nesting = 0): ScriptFacts {
  const marks = new Set(PATTERNS.filter(([, pattern]) => pattern.test(script)).map(([mark]) => mark));
  if (countUpTo(script, HEX_IDENTIFIER, HEX_IDENTIFIERS_TO_COUNT)) marks.add('hex_identifiers');
  const encoded = decoded(
    stringArguments(script, 'decoder').map((text) => ({ ...text, decoders: [text.callee, ...text.decoders] })),
  );
  // The loaders of old statistics services write one encoded script tag; what hides a page spells out content.
  const hidden = encoded.filter((markup) => /^\s*</.test(markup) && CONTENT.test(markup));
  if (hidden.length > 0) marks.add('encoded_markup');
  const endpoints = new Set([script, ...encoded].flatMap(addressesIn));
  const exits = new Set(MOVES.test(script) ? scriptExits(script) : []);
  let sends = sendsForm(script);
  const written = [...new Set([...decoded(stringArguments(script, 'document.write')), ...hidden])];
  const code = [...decoded(stringArguments(script, 'eval')), ...encoded.filter((text) => WRITES.test(text))];
  for (const inside of nesting < MAX_NESTING ? new Set(code) : []) {
    const inner = readScript(inside, nesting + 1);
    for (const mark of inner.marks) marks.add(mark);
    for (const address of inner.endpoints) endpoints.add(address);
    for (const address of inner.exits) exits.add(address);
    written.push(...inner.written);
    sends ||= inner.sendsForm;
  }
  return { marks: [...marks], endpoints: [...endpoints], exits: [...exits], sendsForm: sends, written };
}

function decoded(texts: readonly ScriptString[]): string[] {
  return texts.flatMap((text) => decodeScriptString(text) || []);
}

function addressesIn(text: string): string[] {
  const found: string[] = [];
  ADDRESS.lastIndex = 0;
  for (let match = ADDRESS.exec(text); match && found.length < MAX_ADDRESSES; match = ADDRESS.exec(text)) {
    const address = URL.parse(match[0].replaceAll('\\/', '/'))?.href;
    if (address) found.push(address);
  }
  return found;
}

function countUpTo(text: string, pattern: RegExp, wanted: number): boolean {
  pattern.lastIndex = 0;
  let count = 0;
  while (count < wanted && pattern.exec(text)) count += 1;
  return count >= wanted;
}
