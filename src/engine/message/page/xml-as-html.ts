/** XML that a reader of HTML understands. */
export interface ReadableXml {
  readonly markup: string;
  /** True if the document defines entities or a style sheet, which may contain any markup. */
  readonly isHidden: boolean;
}

const SCRIPT = /<(?:[\w.-]{1,30}:)?script\b([^<>]{0,2000})>/gi;
const SCRIPT_END = /<\/(?:[\w.-]{1,30}:)?script\s{0,20}>/gi;
const CDATA = /<!\[CDATA\[/g;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Rewrites XML, such as XHTML or SVG, for a reader of HTML: elements that end themselves are ended, names lose their
 * prefix, sections of character data are text, and scripts are decoded and moved to the end.
 */
export function xmlAsHtml(xml: string): ReadableXml {
  const scripts: string[] = [];
  let rest = '';
  let at = 0;
  for (const { index, 0: tag, 1: attributes = '' } of xml.matchAll(SCRIPT)) {
    if (index < at) continue;
    rest += xml.slice(at, index);
    at = index + tag.length;
    if (attributes.endsWith('/')) {
      scripts.push(`<script ${attributes.slice(0, -1)}></script>`);
      continue;
    }
    SCRIPT_END.lastIndex = at;
    const end = SCRIPT_END.exec(xml);
    const code = characterData(xml.slice(at, end?.index ?? xml.length));
    scripts.push(`<script ${attributes}>${code.replace(/<\/script/gi, '<\\/script')}</script>`);
    at = end === null ? xml.length : end.index + end[0].length;
  }
  rest += xml.slice(at);
  const markup = withoutSections(rest)
    .replace(/<(\/?)[a-z_][\w.-]{0,30}:(?=[a-z])/gi, '<$1')
    .replace(
      /<(title|style|textarea|iframe|noscript|xmp|noembed|noframes|template)\b([^<>]{0,2000})\/>/gi,
      '<$1$2></$1>',
    );
  return { markup: markup + scripts.join(''), isHidden: /<!ENTITY\s|<\?xml-stylesheet\s/.test(xml) };
}

/** Returns markup in which sections of character data are escaped text. */
function withoutSections(markup: string): string {
  return eachSection(
    markup,
    (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    (other) => other,
  );
}

/** Returns the text of an element without other elements. */
function characterData(content: string): string {
  return eachSection(content, (text) => text, decoded);
}

function eachSection(text: string, inside: (text: string) => string, outside: (text: string) => string): string {
  let result = '';
  let at = 0;
  for (const { index, 0: begin } of text.matchAll(CDATA)) {
    if (index < at) continue;
    const end = text.indexOf(']]>', index);
    result += outside(text.slice(at, index)) + inside(text.slice(index + begin.length, end === -1 ? text.length : end));
    at = end === -1 ? text.length : end + 3;
  }
  return result + outside(text.slice(at));
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : null;
    if (code === null) return ENTITIES[String(name).toLowerCase()] ?? whole;
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
