import type { ElementValue } from '../constants/script-value.ts';

type Attributes = ReadonlyMap<string, string>;

/** Elements of a page that scripts can look up by their `id`. */
export interface PageElements {
  add(id: string, tag: string, attributes: Attributes): void;
  /** Stores the text of an element that is data to scripts. */
  addText(id: string, text: string): void;
  find(id: string): ElementValue | null;
}

const MAX_ELEMENTS = 2000;
const MAX_TEXT_CHARACTERS = 256 * 1024;

/** Creates an index without elements. */
export function createPageElements(): PageElements {
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
    add(id, tag, attributes) {
      if (known.size < MAX_ELEMENTS && !known.has(id)) known.set(id, { tag, attributes, value: null });
    },
    addText(id, text) {
      if (text.length <= MAX_TEXT_CHARACTERS) find(id)?.children.push(text);
    },
    find,
  };
}
