import { decodeScriptString } from './script-decode.ts';
import { stringArguments } from './script-strings.ts';

/**
 * Returns the addresses, as they are written, to which a script goes without being asked: what it sets `location` to, and
 * what it opens as soon as it runs or the page is loaded. A window that any other function opens is left out: most are
 * opened by a click.
 */
export function scriptExits(script: string): string[] {
  const moves = stringArguments(script, 'location');
  const opened = stringArguments(script, 'window.open').filter(({ at }) => runsByItself(script, at));
  return [...moves, ...opened].flatMap((text) => {
    const address = decodeScriptString(text)?.trim() ?? '';
    return address === '' || address.includes('${') ? [] : [address];
  });
}

const SUBMIT = /\.\s{0,9}(?:requestSubmit|submit)\s{0,9}\(\s{0,9}\)/;

/** Returns true if the first form that a script sends is sent as soon as the script runs or the page is loaded. */
export function sendsForm(script: string): boolean {
  const at = script.search(SUBMIT);
  return at !== -1 && runsByItself(script, at);
}

/**
 * Code before the brace of a block, of a function that is called immediately, or of one that runs when the page is
 * loaded.
 */
const RUNS = [
  /\b(?:else|try|do|finally)\s{0,20}$/,
  /\b(?:if|for|while)\s{0,20}\([^{}]{0,160}\)\s{0,20}$/,
  /(?:^|(?<![\w$)\]]\s{0,9})\(|[!;+~]|\b(?:void|load|onload|DOMContentLoaded|ready|setTimeout|setInterval)["'`]?\s{0,20}[=,(])\s{0,20}(?:async\s{1,20})?(?:function\s{0,20}\([^(){}]{0,80}\)|\([^(){}]{0,80}\)\s{0,20}=>)\s{0,20}$/,
];

/** Characters of the script before a brace that determine the kind of a block. */
const MAX_HEAD = 240;

/** Returns true if the code at a position runs without being called; braces in literals are taken for blocks. */
function runsByItself(script: string, end: number): boolean {
  const open: number[] = [];
  for (let at = 0; at < end; at++) {
    const character = script.charCodeAt(at);
    if (character === 0x7b) open.push(at);
    else if (character === 0x7d) open.pop();
  }
  return open.slice(-MAX_BLOCKS).every((at) => {
    const head = script.slice(Math.max(0, at - MAX_HEAD), at);
    return RUNS.some((pattern) => pattern.test(head));
  });
}

/** Maximum number of enclosing blocks that are examined. */
const MAX_BLOCKS = 16;
