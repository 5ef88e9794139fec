import { readStyleSheet } from './style-sheet.ts';

/** Declarations by property, lower case. */
export type Declarations = ReadonlyMap<string, string>;

/** Characters of style elements that are read. */
const MAX_CHARACTERS = 64 * 1024;
/** Maximum number of declarations of one rule. */
const MAX_DECLARATIONS = 40;

/** Class, id or element name at the end of a selector without a pseudo-class. */
const SUBJECT = /(?:^|[\s>+~\w-])([.#]?[a-z_][\w-]{0,63})$/i;

/**
 * Returns the declarations of style elements by the last simple selector of each rule: `.name`, `#name` or an element
 * name. Later rules win; what a selector demands besides, and conditions, are taken as met.
 *
 * @param wanted selectors that are read
 */
export function readStyleRules(styles: string, wanted: ReadonlySet<string>): ReadonlyMap<string, Declarations> {
  const rules = new Map<string, Map<string, string>>();
  for (const { selectors, block } of readStyleSheet(styles.slice(0, MAX_CHARACTERS))) {
    const subjects = selectors
      .map((selector) => SUBJECT.exec(selector.slice(-80))?.[1] ?? '')
      .filter((one) => wanted.has(one));
    const declarations = subjects.length === 0 ? [] : [...readDeclarations(block)];
    for (const subject of subjects) {
      const known = rules.get(subject) ?? new Map<string, string>();
      for (const [property, value] of declarations) known.set(property, value);
      rules.set(subject, known);
    }
  }
  return rules;
}

/** Returns the declarations of an inline style or of one rule. */
export function readDeclarations(style: string): Declarations {
  return new Map(
    style.split(';', MAX_DECLARATIONS).map((declaration): [string, string] => {
      const [name = '', value = ''] = declaration.toLowerCase().replace('!important', '').split(':', 2);
      return [name.trim(), value.trim()];
    }),
  );
}
