/** Declarations by property, lower case. */
export type Declarations = ReadonlyMap<string, string>;

/** Characters of style elements that are read. */
const MAX_CHARACTERS = 64 * 1024;
/** Maximum number of rules, and of declarations of one. */
const MAX_RULES = 1000;
const MAX_DECLARATIONS = 40;

/** Class, id or element name at the end of a selector without a pseudo-class. */
const SUBJECT = /(?:^|[\s>+~\w-])([.#]?[a-z_][\w-]{0,63})$/i;

/**
 * Returns the declarations of style elements by the last simple selector of each rule: `.name`, `#name` or an element
 * name. Later rules win; what a selector demands besides, and media queries, are taken as met.
 */
export function readStyleRules(styles: string): ReadonlyMap<string, Declarations> {
  const text = styles.slice(0, MAX_CHARACTERS);
  const rules = new Map<string, Map<string, string>>();
  let start = 0;
  for (let end = text.indexOf('}'); end !== -1 && rules.size < MAX_RULES; end = text.indexOf('}', start)) {
    const rule = text.slice(start, end);
    const open = rule.lastIndexOf('{');
    if (open !== -1) {
      const before = rule.slice(0, open);
      const selectors = before.slice(Math.max(before.lastIndexOf('{'), before.lastIndexOf(';')) + 1);
      let declarations: Declarations | null = null;
      for (const selector of selectors.split(',')) {
        const subject = SUBJECT.exec(selector.trim().slice(-80))?.[1];
        if (subject === undefined) continue;
        const known = rules.get(subject) ?? new Map<string, string>();
        declarations ??= readDeclarations(rule.slice(open + 1));
        for (const [property, value] of declarations) known.set(property, value);
        rules.set(subject, known);
      }
    }
    start = end + 1;
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
