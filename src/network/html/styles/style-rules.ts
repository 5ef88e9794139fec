import { type HidingProperties, hidingProperties, masksText, mayHide } from './hiding.ts';
import { readStyleSheet, type StyleRule } from './style-sheet.ts';

type Attributes = ReadonlyMap<string, string>;

/** The rules of a document's style sheets, as far as they decide if text is seen. */
export interface StyleRules {
  /** Takes the content of a `style` element. */
  add(text: string, attributes: Attributes): void;
  /** Returns true if the rules hide an element, and its inline style does not show it. */
  hides(name: string, attributes: Attributes): boolean;
  /** Returns true if the rules make what is typed into an element unreadable. */
  masks(name: string, attributes: Attributes): boolean;
}

/** A selector of a tag, an id and classes, each optional; no other one is understood. */
interface Simple {
  readonly tag: string;
  readonly id: string;
  readonly classes: readonly string[];
}

/** A value of a property; the one of the highest rank wins. */
interface Ranked {
  readonly hides: boolean;
  /** Importance, specificity and order, in this sequence. */
  readonly rank: number;
}

/** All rules of one selector. */
interface Entry extends Simple {
  readonly values: Map<string, Ranked>;
}

/** Style that is read of one page, all together. */
const MAX_CHARACTERS = 64 * 1024;
/** Rules of one class, id or tag. */
const MAX_ENTRIES = 32;
/** Classes of one element. */
const MAX_CLASSES = 16;
/** Different `class` attributes that are known at a time. */
const MAX_ATTRIBUTES = 256;

const SIMPLE = /^([a-z][a-z0-9-]{0,40})?((?:[.#][\w-]{1,80}){0,4})$/i;
/** The last part of any other selector, which names the elements that it is about. */
const SUBJECT = /([.#][\w-]{1,80})(?:::?[\w-]{1,40}(?:\([^()]{0,80}\))?|\[[^\]]{0,80}\])*$/;
const MASK = 'text-security';
const NO_VALUES: ReadonlyMap<string, Ranked> = new Map();
const RANKS = { important: 1e15, id: 1e13, class: 1e10, tag: 1e7 };

/** Creates an empty collection of rules. */
export function createStyleRules(): StyleRules {
  /** By `#id`, `.class` or tag. */
  const entries = new Map<string, Entry[]>();
  let left = MAX_CHARACTERS;
  let order = 0;
  /** True once a rule hides something. */
  let isHiding = false;
  /** Answers of `namedBy`, since most elements have the same classes as another one. */
  const byClasses = new Map<string, { readonly classes: readonly string[]; readonly entries: readonly Entry[] }>();

  const store = (key: string, simple: Simple, values: readonly (readonly [string, Ranked])[]) => {
    const known = entries.get(key) ?? [];
    entries.set(key, known);
    const isSame = ({ tag, id, classes }: Simple) =>
      tag === simple.tag && id === simple.id && classes.join() === simple.classes.join();
    const entry: Entry = known.find(isSame) ?? { ...simple, values: new Map() };
    if (entry.values.size === 0 && known.push(entry) > MAX_ENTRIES) known.pop();
    for (const value of values) takeHigher(entry.values, value);
  };
  const addSelector = (
    selector: string,
    { block, isUnconditional }: StyleRule,
    properties: HidingProperties,
    isMask: boolean,
  ) => {
    const simple = isUnconditional ? parseSimple(selector) : null;
    if (simple === null) return addDoubt(selector, properties);
    order += 1;
    const rank = order + rankOf(simple) + (/!important/i.test(block) ? RANKS.important : 0);
    isHiding ||= [...properties.values()].includes(true);
    const all = isMask ? [...properties, [MASK, true] as const] : [...properties];
    store(
      keyOf(simple),
      simple,
      all.map(([name, hides]) => [name, { hides, rank }] as const),
    );
  };
  /** A rule that is not understood, or whose condition is not known, shows in doubt. */
  const addDoubt = (selector: string, properties: ReadonlyMap<string, boolean>) => {
    const key = SUBJECT.exec(selector)?.[1];
    const shown = [...properties].filter(([, hides]) => !hides);
    if (key === undefined || shown.length === 0) return;
    const subject = parseSimple(key) ?? NOTHING;
    store(
      key,
      subject,
      shown.map(([name]) => [name, { hides: false, rank: RANKS.important }] as const),
    );
  };
  /** Returns the classes of a `class` attribute, and the rules that are stored by one of them. */
  const namedBy = (written: string) => {
    const known = byClasses.get(written);
    if (known !== undefined) return known;
    const classes = written.split(/\s+/, MAX_CLASSES).filter((one) => one !== '');
    const named = { classes, entries: classes.flatMap((one) => entries.get(`.${one}`) ?? []) };
    if (byClasses.size >= MAX_ATTRIBUTES) byClasses.clear();
    byClasses.set(written, named);
    return named;
  };
  /** Returns for each property the value that wins. */
  const cascade = (name: string, attributes: Attributes) => {
    const id = attributes.get('id') ?? '';
    const { classes, entries: ofClasses } = namedBy(attributes.get('class') ?? '');
    const ofId = id === '' ? undefined : entries.get(`#${id}`);
    const ofTag = entries.get(name);
    if (ofTag === undefined && ofId === undefined && ofClasses.length === 0) return NO_VALUES;
    const winners = new Map<string, Ranked>();
    for (const entry of [ofTag ?? [], ofId ?? [], ofClasses].flat()) {
      if (matches(entry, name, id, classes)) for (const value of entry.values) takeHigher(winners, value);
    }
    return winners;
  };

  return {
    add(text, attributes) {
      if (!/^(?:all|screen)?$/i.test((attributes.get('media') ?? '').trim())) return;
      const read = text.slice(0, left);
      left -= read.length;
      byClasses.clear();
      if (!mayHide(read) && !masksText(read)) return;
      for (const rule of readStyleSheet(read)) {
        const properties = hidingProperties(rule.block);
        const isMask = masksText(rule.block);
        if (properties.size === 0 && !isMask) continue;
        for (const selector of rule.selectors) addSelector(selector, rule, properties, isMask);
      }
    },
    hides(name, attributes) {
      if (!isHiding) return false;
      const hiding = [...cascade(name, attributes)].filter(([property, { hides }]) => property !== MASK && hides);
      if (hiding.length === 0) return false;
      const own = hidingProperties(attributes.get('style') ?? '');
      return hiding.some(([property]) => own.get(property) !== false);
    },
    masks: (name, attributes) => entries.size > 0 && cascade(name, attributes).has(MASK),
  };
}

function matches(selector: Simple, name: string, id: string, classes: readonly string[]): boolean {
  if (selector.tag !== '' && selector.tag !== name) return false;
  return (selector.id === '' || selector.id === id) && selector.classes.every((one) => classes.includes(one));
}

function takeHigher(values: Map<string, Ranked>, [property, value]: readonly [string, Ranked]): void {
  if (value.rank >= (values.get(property)?.rank ?? 0)) values.set(property, value);
}

const NOTHING: Simple = { tag: '', id: '', classes: [] };

function rankOf({ tag, id, classes }: Simple): number {
  return (id === '' ? 0 : RANKS.id) + classes.length * RANKS.class + (tag === '' ? 0 : RANKS.tag);
}

function keyOf({ tag, id, classes: [first] }: Simple): string {
  if (id !== '') return `#${id}`;
  return first === undefined ? tag : `.${first}`;
}

function parseSimple(selector: string): Simple | null {
  const match = SIMPLE.exec(selector);
  if (match === null || selector === '') return null;
  const parts = match[2]?.match(/[.#][^.#]+/g) ?? [];
  return {
    tag: (match[1] ?? '').toLowerCase(),
    id: parts.find((part) => part.startsWith('#'))?.slice(1) ?? '',
    classes: parts.filter((part) => part.startsWith('.')).map((part) => part.slice(1)),
  };
}
