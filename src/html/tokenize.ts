import { Tokenizer } from 'htmlparser2';
import type { HtmlLimits } from './limits.ts';
import { findScriptEnd } from './script-end.ts';

/** What is told of a text as it is read from front to back. Names are lower case, entities are decoded. */
export interface MarkupEvents {
  open(name: string, attributes: ReadonlyMap<string, string>, selfClosing: boolean): void;
  close(name: string): void;
  /** A whole run of text; `spelledLetters` of its letters and digits were numeric character references. */
  text(text: string, spelledLetters: number): void;
  comment(text: string): void;
  /** Whether the innermost open element belongs to a drawing or a formula, where no element holds raw text. */
  inForeignContent(): boolean;
  attributesDropped(): void;
  /** Asked between chunks; true ends the reading. */
  outOfTime(): boolean;
}

/** What reading markup may cost. */
export type MarkupLimits = Pick<
  HtmlLimits,
  'chunkCharacters' | 'innerCharacters' | 'attributeCharacters' | 'attributesPerElement'
>;

const MAX_NAME_CHARACTERS = 64;

/**
 * Reads markup as the HTML standard's tokenizer does, in time linear in its length and without ever throwing. The answer
 * does not depend on how the text is cut into chunks.
 */
export function tokenize(text: string, events: MarkupEvents, limits: MarkupLimits): void {
  // In HTML such a section is a comment that ends at the next `>`; the tokenizer would look for its own end mark.
  const source = text.replaceAll('<![CDATA[', '<![cdata[');
  for (let from = 0; from < source.length; ) from = tokenizeFrom(source, from, events, limits);
}

/** Reads until the end, or up to the end of a script that the tokenizer would have left too early. */
function tokenizeFrom(source: string, base: number, events: MarkupEvents, limits: MarkupLimits): number {
  let resumeAt: number | null = null;
  let name = '';
  let attributes = new Map<string, string>();
  let attributeName = '';
  let attributeValue = '';
  let attributeLimit = limits.attributeCharacters;
  let scriptStart: number | null = null;
  let text = '';
  let spelledLetters = 0;

  const slice = (start: number, end: number) => source.slice(base + start, base + end);
  const flushText = () => {
    if (text !== '') events.text(text, spelledLetters);
    text = '';
    spelledLetters = 0;
  };
  const addValue = (value: string) => {
    if (attributeValue.length < attributeLimit)
      attributeValue += value.slice(0, attributeLimit - attributeValue.length);
  };
  const open = (endIndex: number, selfClosing: boolean) => {
    flushText();
    const foreign = events.inForeignContent();
    events.open(name, attributes, selfClosing);
    if (name === 'script' && !foreign) scriptStart = base + endIndex + 1;
    attributes = new Map();
  };

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        name = slice(start, Math.min(end, start + MAX_NAME_CHARACTERS)).toLowerCase();
      },
      onattribname(start, end) {
        attributeName = slice(start, Math.min(end, start + MAX_NAME_CHARACTERS)).toLowerCase();
        attributeValue = '';
        const holdsPage = name === 'iframe' && (attributeName === 'srcdoc' || attributeName === 'src');
        attributeLimit = holdsPage ? limits.innerCharacters : limits.attributeCharacters;
      },
      onattribdata: (start, end) => addValue(slice(start, Math.min(end, start + attributeLimit))),
      onattribentity: (codePoint) => addValue(String.fromCodePoint(codePoint)),
      onattribend() {
        if (attributes.has(attributeName)) return;
        if (attributes.size >= limits.attributesPerElement) events.attributesDropped();
        else {
          const hasNul = attributeValue.includes('\0');
          attributes.set(attributeName, hasNul ? attributeValue.replaceAll('\0', '\ufffd') : attributeValue);
        }
      },
      onopentagend: (end) => open(end, false),
      onselfclosingtag: (end) => open(end, true),
      onclosetag(start, end) {
        flushText();
        const closed = slice(start, Math.min(end, start + MAX_NAME_CHARACTERS)).toLowerCase();
        if (closed === 'script' && scriptStart !== null) {
          const contentEnd = base + start - 2;
          const trueEnd = source.slice(scriptStart, contentEnd).includes('<!--')
            ? findScriptEnd(source, scriptStart)
            : contentEnd;
          scriptStart = null;
          if (trueEnd > contentEnd) {
            events.text(source.slice(contentEnd, trueEnd), 0);
            resumeAt = trueEnd;
            tokenizer.pause();
            return;
          }
        }
        events.close(closed);
      },
      ontext(start, end) {
        text += slice(start, end);
      },
      ontextentity(codePoint, end) {
        const character = String.fromCodePoint(codePoint);
        text += character;
        const start = source.lastIndexOf('&', base + end - 1);
        if (source.charAt(start + 1) === '#' && /^[a-z0-9]$/i.test(character)) spelledLetters += 1;
      },
      oncomment(start, end, offset) {
        flushText();
        events.comment(slice(start, end - offset));
      },
      oncdata: () => undefined,
      ondeclaration: flushText,
      onprocessinginstruction: () => undefined,
      onend: flushText,
      isInForeignContext: () => events.inForeignContent(),
    },
  );

  for (let at = base; at < source.length; at += limits.chunkCharacters) {
    tokenizer.write(source.slice(at, at + limits.chunkCharacters));
    if (resumeAt !== null) return resumeAt;
    if (events.outOfTime()) break;
  }
  tokenizer.end();
  // A script that is cut off inside its double escape still swallows what follows; nothing is left either way.
  return source.length;
}
