/** Declarations of an internal subset, as far as they decide what is shown. */
export interface XmlDeclarations {
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
export function readXmlSubset(subset: string): XmlDeclarations {
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
