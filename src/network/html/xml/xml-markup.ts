import { traitsOf } from '../element-stack.ts';
import { type MarkupEvents, type MarkupLimits, tokenize } from '../tokenize.ts';
import { readXmlProlog } from './xml-prolog.ts';

const XHTML = 'http://www.w3.org/1999/xhtml';
const XLINK = 'http://www.w3.org/1999/xlink';
const DRAWINGS: ReadonlySet<string | undefined> = new Set([
  'http://www.w3.org/2000/svg',
  'http://www.w3.org/1998/Math/MathML',
]);

/** Elements of drawings and formulas that mean something here. */
const OF_DRAWINGS = new Set(['a', 'script', 'style', 'image', 'title', 'set', 'animate']);

/** Name of every other element; no tag can have it. */
const OTHER = '#other';

type Attributes = ReadonlyMap<string, string>;

/** Certainty that an XML document is what a browser shows. */
export interface XmlReading {
  /** True if a style sheet makes another document of it (XSLT). */
  readonly isTransformed: boolean;
  /** False if entities or declarations remain that were not read. */
  readonly isWhole: boolean;
}

/**
 * Reads an XML document as browsers do: names are resolved by their namespace, entities and default attributes of the
 * internal subset are used. A document that is not well-formed is read to its end, although a browser stops at the error.
 *
 * @param maxExpansion characters that entities may add.
 */
export function readXml(text: string, events: MarkupEvents, limits: MarkupLimits, maxExpansion: number): XmlReading {
  const { end, subset, isTransformed } = readXmlProlog(text);
  if (isTransformed) return { isTransformed, isWhole: false };
  const declarations = readXmlSubset(subset);
  const { source, isWhole } = expand(text.slice(end), declarations.entities, maxExpansion);
  tokenize(source, resolvingNames(events, declarations), limits, 'xml');
  return { isTransformed, isWhole: isWhole && declarations.isWhole };
}

/** Entities within entities that are expanded. */
const MAX_NESTING = 4;

function expand(
  text: string,
  entities: XmlDeclarations['entities'],
  maxExpansion: number,
): { source: string; isWhole: boolean } {
  if (entities.size === 0) return { source: text, isWhole: true };
  let source = text;
  let left = maxExpansion;
  for (let nesting = 0; nesting < MAX_NESTING; nesting++) {
    let isChanged = false;
    let isWhole = true;
    source = source.replace(/&([^\s&;#]{1,64});/g, (reference, name: string) => {
      const value = entities.get(name);
      if (value === undefined) return reference;
      left -= value.length;
      isChanged = true;
      isWhole &&= left >= 0;
      return left < 0 ? '' : value;
    });
    if (!isChanged || !isWhole) return { source, isWhole };
  }
  return { source, isWhole: false };
}

/** Passes elements on by the names that HTML has for them. */
function resolvingNames(events: MarkupEvents, { defaults }: XmlDeclarations): MarkupEvents {
  /** Namespaces by prefix, the innermost last. */
  const namespaces = new Map<string, string[]>();
  const open: { readonly name: string; readonly prefixes: readonly string[] }[] = [];
  const namespaceOf = (prefix: string) => namespaces.get(prefix)?.at(-1);
  const leave = (prefixes: readonly string[]) => {
    for (const prefix of prefixes) namespaces.get(prefix)?.pop();
  };
  return {
    ...events,
    open(qualified, written, selfClosing) {
      const attributes = withDefaults(written, defaults.get(qualified));
      const prefixes: string[] = [];
      for (const [name, value] of attributes) {
        if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
        const prefix = name.slice('xmlns:'.length);
        const values = namespaces.get(prefix) ?? [];
        values.push(value);
        namespaces.set(prefix, values);
        prefixes.push(prefix);
      }
      const [prefix, local] = split(qualified);
      const name = htmlName(namespaceOf(prefix), local);
      events.open(name, withPlainLinks(attributes, namespaceOf), selfClosing);
      if (selfClosing) leave(prefixes);
      else open.push({ name, prefixes });
    },
    close(qualified) {
      // An HTML element without content that was left open, such as `br`, is an error that programs for mails forgive.
      const [, local] = split(qualified);
      for (let element = open.pop(); element !== undefined; element = open.pop()) {
        leave(element.prefixes);
        events.close(element.name);
        if (element.name === local || !traitsOf(element.name).isVoid) return;
      }
    },
  };
}

function split(qualified: string): readonly [prefix: string, local: string] {
  const at = qualified.indexOf(':');
  return at === -1 ? ['', qualified] : [qualified.slice(0, at), qualified.slice(at + 1)];
}

function htmlName(namespace: string | undefined, local: string): string {
  if (namespace === XHTML) return local;
  if (!DRAWINGS.has(namespace)) return OTHER;
  const name = local === 'foreignObject' ? 'foreignobject' : local;
  const { isForeignRoot, holdsHtml } = traitsOf(name);
  return isForeignRoot || holdsHtml || OF_DRAWINGS.has(name) ? name : OTHER;
}

function withDefaults(attributes: Attributes, missing: readonly (readonly [string, string])[] = []): Attributes {
  return missing.length === 0 ? attributes : new Map([...missing, ...attributes]);
}

/** Returns the attributes with the links of XLink under their usual name, whatever its prefix is. */
function withPlainLinks(attributes: Attributes, namespaceOf: (prefix: string) => string | undefined): Attributes {
  for (const [name, value] of attributes) {
    const [prefix, local] = split(name);
    if (local === 'href' && prefix !== '' && namespaceOf(prefix) === XLINK)
      return new Map([...attributes, ['xlink:href', value]]);
  }
  return attributes;
}

/** Declarations of an internal subset, as far as they decide what is shown. */
interface XmlDeclarations {
  /** Replacement texts of entities, by name. */
  readonly entities: ReadonlyMap<string, string>;
  /** Default attributes by the name of their element. */
  readonly defaults: ReadonlyMap<string, readonly DefaultAttribute[]>;
  /** False if there may be more: the subset is too long, or uses parameter entities. */
  readonly isWhole: boolean;
}

type DefaultAttribute = readonly [name: string, value: string];

/** Longest subset that is read, in UTF-16 code units. */
const MAX_SUBSET = 64 * 1024;

const ENTITY = /<!ENTITY\s+([^\s%"'<>]{1,64})\s+(?:"([^"]*)"|'([^']*)')/g;
const ATTRIBUTE_LIST = /<!ATTLIST\s+([^\s"'<>]{1,64})(\s[^>]{0,2000})>/g;
const ATTRIBUTE = /\s([^\s"'<>()|]{1,64})\s+(?:[A-Z]{1,16}|\([^()]{0,200}\))\s+(?:#FIXED\s+)?(?:"([^"]*)"|'([^']*)')/g;

/** Reads the internal subset of a document type. */
function readXmlSubset(subset: string): XmlDeclarations {
  const source = withoutComments(subset.slice(0, MAX_SUBSET));
  const entities = new Map<string, string>();
  const defaults = new Map<string, DefaultAttribute[]>();
  for (const [, name = '', double, single = ''] of source.matchAll(ENTITY)) {
    // Of two declarations of one name, the first one counts.
    if (!entities.has(name)) entities.set(name, double ?? single);
  }
  for (const [, element = '', list = ''] of source.matchAll(ATTRIBUTE_LIST)) {
    const known = defaults.get(element) ?? [];
    for (const [, name = '', double, single = ''] of list.matchAll(ATTRIBUTE)) known.push([name, double ?? single]);
    defaults.set(element, known);
  }
  const isWhole = subset.length <= MAX_SUBSET && !/%[^\s;%]{1,64};/.test(source);
  return { entities, defaults, isWhole };
}

function withoutComments(text: string): string {
  const [first = '', ...others] = text.split('<!--');
  return [first, ...others.map((piece) => (piece.includes('-->') ? piece.slice(piece.indexOf('-->') + 3) : ''))].join(
    '',
  );
}
