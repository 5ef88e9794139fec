import { scriptOfDataAddress } from '../addresses.ts';
import type { PageScripts, ScriptMark } from '../document.ts';
import type { HtmlLimits } from '../limits.ts';
import type { ExitSources } from '../page-exits.ts';
import { RANK } from './constants/script-value.ts';
import { eventRank } from './effects/callbacks.ts';
import { createPageElements } from './effects/script-reader.ts';
import { createScriptReader, readFrameAddress, readPageScript } from './read-scripts.ts';

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
function marksIn(script: string): ScriptMark[] {
  const marks = PATTERNS.filter(([, part, pattern]) => script.includes(part) && pattern.test(script)).map(
    ([mark]) => mark,
  );
  return script.includes('_0x') && countUpTo(script, HEX_IDENTIFIER, HEX_IDENTIFIERS_TO_COUNT)
    ? [...marks, 'hex_identifiers']
    : marks;
}

/** Returns the web addresses that a script spells out, as absolute URLs. */
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

type Attributes = ReadonlyMap<string, string>;

/** Gathers facts about the scripts of a page. */
export interface ScriptCollector {
  /** Takes a script element with its text, and returns the markup that it writes, and how many characters were read. */
  add(text: string, attributes: Attributes): { readonly written: readonly string[]; readonly characters: number };
  /** Event handlers that run without a click. */
  handlerCount(): number;
  /** Takes the event handlers of an element, and its `id`. */
  addElement(name: string, attributes: Attributes): void;
  /** Reads a script that is the address of a frame, and returns the markup that it writes, or that its value is. */
  readAddress(address: string): readonly string[];
  /** Reads the event handlers of the page, once all of its scripts are known, and returns the markup that they write. */
  readHandlers(): readonly string[];
  finish(): PageScripts;
  /** Addresses to which scripts lead: by themselves, and once a visitor clicks. */
  exits(): ScriptedExits;
  /** Cookies that scripts set before they load a page, as written. */
  cookies(): readonly string[];
}

/** Addresses, as they are written, to which scripts lead. */
export type ScriptedExits = Pick<ExitSources, 'scripted' | 'clicked' | 'immediate' | 'sendsForm'>;

const MAX_ENDPOINTS = 200;
const MAX_HANDLERS = 200;
const JAVASCRIPT_TYPE = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script(?:;.*)?)$/i;
const JAVASCRIPT_ADDRESS = /^\s{0,20}javascript:/i;

/** Event handlers, except those of buttons and fields. */
const RUNS_BY_ITSELF = /^on(?!click|submit|change|input)/;

/** Text of every handler that moves, writes, or calls something. */
const ACTS = /[(=]/;

/** Creates an empty collector. Scripts beyond the budget are counted, and not read. */
export function createScriptCollector(
  limits: HtmlLimits,
  {
    url,
    files,
    resolve,
  }: { url: string | null; files: ReadonlyMap<string, string>; resolve: (source: string) => string | null },
): ScriptCollector {
  const marks = new Set<ScriptMark>();
  const endpoints = new Set<string>();
  const handlers = new Map<string, number>();
  const elements = createPageElements();
  const reader = createScriptReader(url, elements.find);
  const { findings } = reader;
  let inlineCount = 0;
  let handlerCount = 0;
  let inlineCharacters = 0;
  let left = limits.scriptCharacters;

  const addEndpoints = (addresses: readonly string[]) => {
    for (const address of addresses) if (endpoints.size < MAX_ENDPOINTS) endpoints.add(address);
  };

  const noteText = (text: string) => {
    for (const mark of marksIn(text)) marks.add(mark);
    addEndpoints(addressesIn(text));
  };

  const within = (text: string, readText: (code: string) => string[]) => {
    const code = text.slice(0, left);
    left -= code.length;
    const written = readText(code);
    for (const inner of findings.decoded) noteText(inner);
    findings.decoded.clear();
    return written;
  };
  const read = (text: string, rank: number) => within(text, (code) => readPageScript(reader, code, rank));

  const fileAt = (source: string) => scriptOfDataAddress(source) ?? files.get(resolve(source) ?? '') ?? null;

  const addHandler = (code: string, rank: number) => {
    if (!ACTS.test(code) || handlers.size >= MAX_HANDLERS) return;
    handlers.set(code, Math.min(rank, handlers.get(code) ?? rank));
  };

  return {
    add(text, attributes) {
      const source = attributes.get('src');
      const isScript = JAVASCRIPT_TYPE.test((attributes.get('type') ?? '').trim().slice(0, 64));
      const file = source === undefined || !isScript ? null : fileAt(source);
      if (source !== undefined && isScript) findings.externalCount += 1;
      else if (text.trim() !== '') {
        inlineCount += 1;
        inlineCharacters += text.length;
        const id = attributes.get('id');
        if (!isScript && id !== undefined) elements.addText(id, text);
      }
      const code = source === undefined && isScript ? text : (file ?? '');
      if (code.trim() === '') return { written: [], characters: text.length };
      noteText(code.slice(0, left));
      return { written: read(code, RANK.itself), characters: code.length };
    },
    addElement(name, attributes) {
      const id = attributes.get('id');
      if (id !== undefined) elements.add(id, name, attributes);
      for (const [attribute, value] of attributes) {
        if (attribute.startsWith('on')) {
          if (RUNS_BY_ITSELF.test(attribute)) handlerCount += 1;
          if (attribute === 'oncontextmenu' && /return\s+false|preventDefault/i.test(value))
            marks.add('blocks_context_menu');
          addHandler(value, handlerRank(attribute, attributes));
        } else if (isAddress(attribute) && JAVASCRIPT_ADDRESS.test(value))
          addHandler(value.replace(JAVASCRIPT_ADDRESS, ''), RANK.clicked);
      }
    },
    handlerCount: () => handlerCount,
    readAddress: (address) => within(address, (code) => readFrameAddress(reader, code)),
    readHandlers() {
      const written: string[] = [];
      for (const [code, rank] of handlers) {
        if (code.includes('//')) addEndpoints(addressesIn(code));
        written.push(...read(code, rank));
      }
      handlers.clear();
      return written;
    },
    exits: () => ({
      scripted: [...findings.scripted],
      immediate: [...findings.immediate],
      clicked: [...findings.clicked],
      sendsForm: findings.sendsForm,
    }),
    cookies: () => (findings.reloads || findings.scripted.size > 0 ? [...findings.cookies] : []),
    finish() {
      if (findings.hasEncodedMarkup) marks.add('encoded_markup');
      addEndpoints([...findings.requested]);
      const { externalCount, movesAway, writesUnknown, reloads } = findings;
      return {
        inlineCount,
        inlineCharacters,
        marks: [...marks].sort(),
        endpoints: [...endpoints],
        externalCount,
        movesAway,
        writesUnknown,
        ...(reloads && { reloads }),
      };
    },
  };
}

function isAddress(attribute: string): boolean {
  return attribute === 'href' || attribute === 'action' || attribute === 'formaction' || attribute === 'xlink:href';
}

/** A field that takes the focus by itself runs its handler by itself. */
function handlerRank(attribute: string, attributes: Attributes): number {
  if (/^onfocus(?:in)?$/.test(attribute)) return attributes.has('autofocus') ? RANK.itself : RANK.clicked;
  const rank = eventRank(attribute.slice(2));
  return rank === RANK.callback ? RANK.clicked : rank;
}
