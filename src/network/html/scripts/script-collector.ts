import type { PageScripts, ScriptMark } from '../document.ts';
import type { HtmlLimits } from '../limits.ts';
import { readScript } from './script-facts.ts';

/** Gathers what the scripts of a page show. */
export interface ScriptCollector {
  /** Takes the text of a script element and answers with the markup that it writes. */
  add(text: string, attributes: ReadonlyMap<string, string>): readonly string[];
  /** Looks into the event handlers of an element. */
  readHandlers(attributes: ReadonlyMap<string, string>): void;
  finish(): PageScripts;
  /** What scripts do by themselves, and click handlers once they are clicked. */
  exits(): ScriptedExits;
}

/** Addresses, as they are written, to which scripts lead. */
export interface ScriptedExits {
  readonly scripted: readonly string[];
  readonly clicked: readonly string[];
  /** True if a script sends a form by itself. */
  readonly sendsForm: boolean;
}

const MAX_ENDPOINTS = 200;
const MAX_EXITS = 20;
const JAVASCRIPT_TYPE = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script(?:;.*)?)$/i;

/** Handlers that run by themselves, or once a visitor clicks. */
const HANDLERS = [
  { name: 'onclick', into: 'clicked' },
  { name: 'onsubmit', into: 'clicked' },
  { name: 'onload', into: 'scripted' },
  { name: 'onerror', into: 'scripted' },
  { name: 'onpageshow', into: 'scripted' },
] as const;
const JAVASCRIPT_ADDRESS = /^\s{0,20}javascript:/i;

/** An empty collector. Scripts beyond the budget are counted, and not looked into. */
export function createScriptCollector(limits: HtmlLimits): ScriptCollector {
  const marks = new Set<ScriptMark>();
  const endpoints = new Set<string>();
  const scripted = new Set<string>();
  const clicked = new Set<string>();
  let sendsForm = false;
  let inlineCount = 0;
  let inlineCharacters = 0;
  let left = limits.scriptCharacters;

  const keepEndpoints = (found: readonly string[]) => {
    for (const endpoint of found) if (endpoints.size < MAX_ENDPOINTS) endpoints.add(endpoint);
  };

  const keepExits = (into: Set<string>, found: readonly string[]) => {
    for (const exit of found) if (into.size < MAX_EXITS) into.add(exit);
  };

  return {
    add(text, attributes) {
      if (text.trim() === '') return [];
      inlineCount += 1;
      inlineCharacters += text.length;
      if (!JAVASCRIPT_TYPE.test((attributes.get('type') ?? '').trim().slice(0, 64))) return [];
      const looked = text.slice(0, left);
      left -= looked.length;
      const facts = readScript(looked);
      for (const mark of facts.marks) marks.add(mark);
      keepEndpoints(facts.endpoints);
      keepExits(scripted, facts.exits);
      sendsForm ||= facts.sendsForm;
      return facts.written;
    },
    readHandlers(attributes) {
      const handler = attributes.get('oncontextmenu');
      if (handler !== undefined && /return\s+false|preventDefault/i.test(handler)) marks.add('blocks_context_menu');
      const handlers: { code: string | undefined; into: 'clicked' | 'scripted' }[] = HANDLERS.map(({ name, into }) => ({
        code: attributes.get(name),
        into,
      }));
      const link = attributes.get('href')?.replace(JAVASCRIPT_ADDRESS, '');
      if (link !== attributes.get('href')) handlers.push({ code: link, into: 'clicked' });
      for (const { code, into } of handlers) {
        if (code === undefined || !/\/\/|location|open/.test(code)) continue;
        const facts = readScript(code);
        if (code.includes('//')) keepEndpoints(facts.endpoints);
        keepExits(into === 'scripted' ? scripted : clicked, facts.exits);
      }
    },
    exits: () => ({ scripted: [...scripted], clicked: [...clicked], sendsForm }),
    finish: () => ({ inlineCount, inlineCharacters, marks: [...marks].sort(), endpoints: [...endpoints] }),
  };
}
