import type { TextBudget } from '../constants/pure-methods.ts';
import type { ElementValue, FunctionValue, NameScope, Value } from '../constants/script-value.ts';
import type { ScriptFindings } from './script-findings.ts';

type Attributes = ReadonlyMap<string, string>;

const MAX_ELEMENTS = 2000;
const MAX_TEXT_CHARACTERS = 256 * 1024;

/** Creates an empty index of the elements of a page that scripts can look up by their `id`. */
export function createPageElements() {
  const known = new Map<
    string,
    { readonly tag: string; readonly attributes: Attributes; value: ElementValue | null }
  >();
  const find = (id: string): ElementValue | null => {
    const entry = known.get(id);
    if (entry === undefined) return null;
    const { tag, attributes } = entry;
    entry.value ??= {
      kind: 'element',
      tag,
      attributes: new Map(attributes),
      children: [],
      isOfPage: true,
      isAttached: false,
    };
    return entry.value;
  };
  return {
    add(id: string, tag: string, attributes: Attributes) {
      if (known.size < MAX_ELEMENTS && !known.has(id)) known.set(id, { tag, attributes, value: null });
    },
    /** Stores the text of an element that is data to scripts. */
    addText(id: string, text: string) {
      if (text.length <= MAX_TEXT_CHARACTERS) find(id)?.children.push(text);
    },
    find,
  };
}

/** State of reading the scripts of one page. */
export interface ScriptReader {
  readonly findings: ScriptFindings;
  /** Address of the page; null for a page without one. */
  readonly url: string | null;
  readonly globals: NameScope;
  readonly budget: TextBudget;
  /** Returns the first element of the page with an `id`, if there is one so far. */
  readonly elementById: (id: string) => ElementValue | null;
  /** Elements that scripts put into the page, which are written out at the end of the script. */
  readonly attached: { readonly element: ElementValue; readonly rank: number }[];
  /** Functions that run once the current script has ended. */
  readonly queue: { readonly called: FunctionValue; readonly rank: number; readonly isConditional: boolean }[];
  /** True while a function is read that is called on a condition. */
  isConditional: boolean;
  /** Functions of the script that is being read. */
  readonly functions: FunctionValue[];
  /** Names of methods of unknown objects that were called, with the lowest rank of such a call. */
  readonly calledNames: Map<string, number>;
  /** Scripts within scripts that were read, with the lowest rank. */
  readonly readCodes: Map<string, number>;
  /** Tokens of functions that may be read again. */
  steps: number;
  /** Nesting of expressions, statements and calls. */
  depth: number;
  /** Nesting of scripts in texts. */
  nesting: number;
  elements: number;
  /** Reads the body of a function for its arguments, and returns what it returns. */
  call(called: FunctionValue, args: readonly Value[], rank: number): Value;
  /** The same for a function that is called for each item of a list, or for each match in a text. */
  callForEach(called: FunctionValue, args: readonly Value[], rank: number): Value;
  /** Reads a script that a script holds as a text, and returns the value of its last expression. */
  readCode(code: string, rank: number): Value;
}

/** A part of a script while it is read. */
export interface CodePlace {
  readonly reader: ScriptReader;
  readonly scope: NameScope;
  /** When the code runs; see `RANK`. */
  readonly rank: number;
  /** Nesting of code that runs on a condition; absent outside of code. */
  readonly conditions?: number;
  /** True behind a `return` that runs on a condition. */
  readonly mayHaveEnded?: boolean;
}

/** Returns true if code runs only on a condition, as far as that can be seen. */
export function isConditional({ reader, conditions = 0, mayHaveEnded = false }: CodePlace): boolean {
  return reader.isConditional || conditions > 0 || mayHaveEnded;
}
