import { Tokenizer } from 'htmlparser2';
import type { PageSyntax } from './charset.ts';
import type { HtmlLimits } from './limits.ts';
import { findScriptEnd, readNames } from './scripts/tokens/token-ends.ts';

/** Events of parsing a text from front to back. Names are lower case in HTML, as written in XML; entities are decoded. */
export interface MarkupEvents {
  open(name: string, attributes: ReadonlyMap<string, string>, selfClosing: boolean): void;
  close(name: string): void;
  /**
   * A whole run of text, which begins at an index of the source; `spelledLetters` of its letters and digits were numeric
   * character references.
   */
  text(text: string, spelledLetters: number, start: number): void;
  comment(text: string): void;
  /**
   * Returns true if the innermost open element belongs to a drawing or a formula, in which no element contains raw
   * text.
   */
  inForeignContent(): boolean;
  /** Returns true if the content of an element up to its end tag is text, although the tokenizer parses it as markup. */
  holdsMarkupAsText(name: string): boolean;
  attributesDropped(): void;
  /** Called between chunks with the number of characters that were read; true stops the parser. */
  isSpent(characters: number): boolean;
}

/** Budget for parsing markup. */
export type MarkupLimits = Pick<
  HtmlLimits,
  'chunkCharacters' | 'innerCharacters' | 'attributeCharacters' | 'attributesPerElement'
>;

const MAX_NAME_CHARACTERS = 64;

/** Attributes that are always stored, because an attacker could hide one of them behind many others. */
const TELLING: ReadonlySet<string> = new Set([
  ...['action', 'formaction', 'method', 'form', 'id', 'name', 'type', 'value', 'href', 'xlink:href', 'src', 'srcdoc'],
  ...[
    'data',
    'sandbox',
    'http-equiv',
    'content',
    'charset',
    'shadowrootmode',
    'hidden',
    'style',
    'class',
    'contenteditable',
    'xmlns',
  ],
]);

/** Beginning of a section that the tokenizer reads as a comment. */
const COMMENTED_SECTION = '[CDATA(';

const isTelling = (attribute: string) => TELLING.has(attribute) || attribute.startsWith('xmlns:');

/**
 * Reads markup as the HTML standard's tokenizer does, or as XML, in time linear in its length and without ever throwing.
 * The answer does not depend on how the text is cut into chunks.
 */
export function tokenize(text: string, events: MarkupEvents, limits: MarkupLimits, syntax: PageSyntax = 'html'): void {
  // In HTML such a section is a comment that ends at the next `>`; the tokenizer would look for its own end mark.
  const hasSections = syntax === 'html' && text.includes('<![CDATA[');
  const source = hasSections ? text.replaceAll('<![CDATA[', `<!${COMMENTED_SECTION}`) : text;
  for (let from = 0; from < source.length; ) from = tokenizeFrom(source, from, events, limits, syntax);
}

/** Reads until the end, or up to the end of a script that the tokenizer would have left too early. */
function tokenizeFrom(
  source: string,
  base: number,
  events: MarkupEvents,
  limits: MarkupLimits,
  syntax: PageSyntax,
): number {
  const isXml = syntax === 'xml';
  let resumeAt: number | null = null;
  let name = '';
  const attributes = collectAttributes(limits, source.includes('\0'), events.attributesDropped);
  let scriptStart: number | null = null;
  let text = '';
  let textStart = 0;
  let spelledLetters = 0;

  const slice = (start: number, end: number) => source.slice(base + start, base + end);
  const nameAt = readNames(source, !isXml);
  const sliceName = (start: number, end: number) => nameAt(base + start, Math.min(end - start, MAX_NAME_CHARACTERS));
  const flushText = () => {
    if (text !== '') events.text(text, spelledLetters, textStart);
    text = '';
    spelledLetters = 0;
  };
  /** Hands what lies between as text, and goes on behind it. */
  const skipTo = (from: number, to: number, endMark = 0) => {
    if (from < to) events.text(source.slice(from, to), 0, from);
    resumeAt = Math.min(to + endMark, source.length);
    tokenizer.pause();
  };
  const open = (endIndex: number, selfClosing: boolean) => {
    flushText();
    const foreign = events.inForeignContent();
    events.open(name, attributes.take(), selfClosing);
    if (name === 'script' && !foreign && !isXml) scriptStart = base + endIndex + 1;
    if (!selfClosing && !foreign && !isXml && events.holdsMarkupAsText(name)) {
      const from = base + endIndex + 1;
      skipTo(from, endOfText(source, from, name));
    }
  };

  const tokenizer = new Tokenizer(
    { decodeEntities: true, xmlMode: isXml },
    {
      onopentagname(start, end) {
        name = sliceName(start, end);
      },
      onattribname: (start, end) => attributes.begin(name, sliceName(start, end)),
      onattribdata: (start, end) => attributes.add(slice(start, Math.min(end, start + attributes.room()))),
      onattribentity: (codePoint) => attributes.add(String.fromCodePoint(codePoint)),
      onattribend: attributes.end,
      onopentagend: (end) => open(end, false),
      onselfclosingtag: (end) => open(end, true),
      onclosetag(start, end) {
        flushText();
        const closed = sliceName(start, end);
        if (closed === 'script' && scriptStart !== null) {
          const contentEnd = base + start - 2;
          const trueEnd = source.slice(scriptStart, contentEnd).includes('<!--')
            ? findScriptEnd(source, scriptStart)
            : contentEnd;
          scriptStart = null;
          if (trueEnd > contentEnd) {
            skipTo(contentEnd, trueEnd);
            return;
          }
        }
        events.close(closed);
      },
      ontext(start, end) {
        if (text === '') textStart = base + start;
        text += slice(start, end);
      },
      ontextentity(codePoint, end) {
        const character = String.fromCodePoint(codePoint);
        if (text === '') textStart = base + end;
        text += character;
        const start = source.lastIndexOf('&', base + end - 1);
        if (source.charAt(start + 1) === '#' && /^[a-z0-9]$/i.test(character)) spelledLetters += 1;
      },
      oncomment(start, end, offset) {
        flushText();
        const comment = slice(start, end - offset);
        if (!comment.startsWith(COMMENTED_SECTION) || !events.inForeignContent()) return events.comment(comment);
        const from = base + start + COMMENTED_SECTION.length;
        const close = source.indexOf(']]>', from);
        skipTo(from, close === -1 ? source.length : close, ']]>'.length);
      },
      oncdata(start, end, offset) {
        if (text === '') textStart = base + start;
        text += slice(start, end - offset);
      },
      ondeclaration: flushText,
      onprocessinginstruction: () => undefined,
      onend: flushText,
      isInForeignContext: () => events.inForeignContent(),
    },
  );

  for (let at = base; at < source.length; at += limits.chunkCharacters) {
    tokenizer.write(source.slice(at, at + limits.chunkCharacters));
    const readTo = resumeAt ?? Math.min(at + limits.chunkCharacters, source.length);
    if (events.isSpent(readTo - at)) break;
    if (resumeAt !== null) return resumeAt;
  }
  tokenizer.end();
  // A script that is cut off inside its double escape still swallows what follows; nothing is left either way.
  return source.length;
}

/** Shared by all tags without attributes, which are most. */
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** Collects the attributes of a tag; `take` returns them, and begins the next tag. */
function collectAttributes(limits: MarkupLimits, hasNuls: boolean, onDropped: () => void) {
  let all: Map<string, string> | null = null;
  let name = '';
  let value = '';
  let maxLength = limits.attributeCharacters;
  return {
    begin(element: string, attribute: string) {
      name = attribute;
      value = '';
      const holdsPage = element === 'iframe' && (name === 'srcdoc' || name === 'src');
      maxLength = holdsPage ? limits.innerCharacters : limits.attributeCharacters;
    },
    room: () => maxLength - value.length,
    add(text: string) {
      const room = maxLength - value.length;
      value += text.length > room ? text.slice(0, room) : text;
    },
    end() {
      all ??= new Map();
      if (all.has(name)) return;
      if (all.size >= limits.attributesPerElement && !isTelling(name)) onDropped();
      else all.set(name, hasNuls ? value.replaceAll('\0', '\ufffd') : value);
    },
    take(): ReadonlyMap<string, string> {
      const taken = all ?? NO_ATTRIBUTES;
      all = null;
      return taken;
    },
  };
}

/** Returns the end of an element's text that begins at `from`: the index of its end tag, or the end of the source. */
function endOfText(source: string, from: number, name: string): number {
  const end = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi');
  end.lastIndex = from;
  return end.exec(source)?.index ?? source.length;
}
