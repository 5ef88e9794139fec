import type { ScriptMark } from '../document.ts';

/** A sign, a text that every script with it contains, and the expression that finds it. */
const PATTERNS: readonly (readonly [ScriptMark, string, RegExp])[] = [
  ['blocks_context_menu', '', /contextmenu["']?\s{0,9}[=,)][^;]{0,200}(?:return false|preventDefault)/i],
  [
    'blocks_developer_tools',
    '',
    /(?:keyCode|which)\s{0,9}={2,3}\s{0,9}123\b|\.key\s{0,9}={2,3}\s{0,9}["']F12["']|disable-?devtool|debugger[^}]{0,200}setInterval|setInterval[^}]{0,200}debugger/i,
  ],
  ['packed', 'eval', /eval\s{0,9}\(\s{0,9}function\s{0,9}\(p,\s?a,\s?c,\s?k,\s?e,/],
  ['evaluates_encoded_text', 'eval', /eval\s{0,9}\(\s{0,9}(?:unescape|atob|decodeURIComponent|String\.fromCharCode)\b/],
  [
    'reads_email_from_address',
    'hash',
    /location\.hash[^;]{0,200}(?:atob|email|['"]@['"])|(?:email|user)\w{0,20}\s{0,9}=[^;]{0,80}location\.hash/i,
  ],
  ['posts_by_script', '', /\$\.post\s{0,9}\(|\.ajax\s{0,9}\(|\bfetch\s{0,9}\(|XMLHttpRequest|\baxios\b|sendBeacon/],
  ['looks_for_bots', '', /navigator\.webdriver|HeadlessChrome|phantomjs|_phantom\b|googlebot/i],
  [
    'redirects',
    'location',
    /(?:window|document|top|self|parent)\.location(?:\.href)?\s{0,9}=[^=]|\blocation\.(?:replace|assign)\s{0,9}\(|\blocation\.href\s{0,9}=[^=]/,
  ],
];

/** Names that a well-known obfuscator generates; ordinary pages have none. */
const HEX_IDENTIFIER = /\b_0x[0-9a-f]{4,6}\b/g;
const HEX_IDENTIFIERS_TO_COUNT = 10;

const ADDRESS = /https?:(?:\\?\/){2}[\w.-]{3,253}(?::\d{1,5})?(?:[^\s"'`<>)\\]|\\\/){0,300}/gi;
const MAX_ADDRESSES = 200;

/** Returns the signs in the text of a script. */
export function marksIn(script: string): ScriptMark[] {
  const marks = PATTERNS.filter(([, part, pattern]) => script.includes(part) && pattern.test(script)).map(
    ([mark]) => mark,
  );
  return script.includes('_0x') && countUpTo(script, HEX_IDENTIFIER, HEX_IDENTIFIERS_TO_COUNT)
    ? [...marks, 'hex_identifiers']
    : marks;
}

/** Returns the web addresses that a script spells out, as absolute URLs. */
export function addressesIn(text: string): string[] {
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
