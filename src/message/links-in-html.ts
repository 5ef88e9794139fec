import { createElementStack, type OpenElement } from '#src/html/element-stack.ts';
import { traitsOf } from '#src/html/element-traits.ts';
import { parseRefresh } from '#src/html/refresh.ts';
import { type MarkupLimits, tokenize } from '#src/html/tokenize.ts';
import { readUrl } from '#src/url/read-url.ts';
import { isBareAddress } from './bare-host.ts';
import { linksInText } from './links-in-text.ts';
import { type MessageLink, messageLink, withoutRepeats } from './message-link.ts';

type Attributes = ReadonlyMap<string, string>;

/** A person's own message: nothing of it is left out, but for what no program shows. */
const LIMITS: MarkupLimits = {
  chunkCharacters: 65_536,
  innerCharacters: 1_000_000,
  attributeCharacters: 16_384,
  attributesPerElement: 10_000,
};

const DEPTH = 512;

/** Links within links whose words are gathered, and how much of them, by and large. */
const MAX_CAPTURES = 16;
const MAX_WORDS = 1000;

/** Markup in markup: what one mail program shows to itself, and pages in frames. */
const INNER_DEPTH = 2;

/** Elements whose `href` leads nobody anywhere: it names a part of the page. */
const PARTS = new Set(['base', 'link', 'image', 'use', 'lineargradient', 'radialgradient', 'pattern', 'filter']);

/** The attributes by which elements lead on without a word. */
const WORDLESS: Readonly<Record<string, string>> = {
  form: 'action',
  button: 'formaction',
  input: 'formaction',
  iframe: 'src',
  frame: 'src',
};

/**
 * The links of markup with the words in front of them: of `a`, `area` and whatever else has an address, of forms, of a
 * refresh, and those that stand in its text. Nothing is loaded or shown. Never throws.
 */
export function linksInHtml(markup: string, depth = 0): MessageLink[] {
  const links: MessageLink[] = [];
  const stack = createElementStack(DEPTH);
  let base: string | null = null;
  /** The words of the links that are open, from the outermost inwards. */
  const captures: { words: string }[] = [];
  let text = '';

  const add = (address: string | undefined, words: string) => {
    const url = address === undefined ? null : resolve(address, base);
    if (url !== null) links.push(messageLink(url, words));
  };
  const addText = (piece: string) => {
    for (const capture of captures) {
      if (capture.words.length < MAX_WORDS) capture.words += piece.slice(0, MAX_WORDS);
    }
    if (captures.length === 0) text += piece;
  };
  const inner = (code: string | undefined) => {
    if (code !== undefined && depth < INNER_DEPTH) links.push(...linksInHtml(code, depth + 1));
  };

  const begin = (name: string, attributes: Attributes): (() => void) | null => {
    if (name === 'base') base ??= resolve(attributes.get('href') ?? '', null);
    if (name === 'meta' && attributes.get('http-equiv')?.toLowerCase() === 'refresh')
      add(parseRefresh(attributes.get('content') ?? '')?.target, '');
    const wordless = WORDLESS[name];
    if (wordless !== undefined) add(attributes.get(wordless), '');
    if (name === 'iframe') inner(attributes.get('srcdoc'));
    const alternative = attributes.get('alt') ?? '';
    if (name === 'img') addText(` ${alternative} `);
    const href = PARTS.has(name) ? undefined : (attributes.get('href') ?? attributes.get('xlink:href'));
    if (href === undefined) return null;
    const capture = { words: alternative };
    if (captures.length < MAX_CAPTURES) captures.push(capture);
    return () => {
      if (captures.at(-1) === capture) captures.pop();
      add(href, capture.words);
    };
  };

  tokenize(
    markup,
    {
      open(name, attributes, selfClosing) {
        const traits = traitsOf(name);
        if (name === 'a' && stack.isOpen('a')) stack.close('a');
        if (traits.breaksOut) stack.closeWhile(isForeign);
        if (traits.isBlock) addText('\n');
        const foreign = traits.isForeignRoot || isForeign(stack.top);
        const onEnd = begin(name, attributes);
        if (traits.isVoid || (foreign && selfClosing)) onEnd?.();
        else stack.push({ name, traits, hidden: false, foreign, onEnd });
      },
      close(name) {
        stack.close(name);
        if (traitsOf(name).isBlock) addText('\n');
      },
      text(piece) {
        if (!stack.top?.traits.isSilent || stack.top.foreign) addText(piece.replace(/\s+/g, ' '));
      },
      comment(code) {
        // What one program hides from all others is a link to whoever uses that program.
        if (/^\s*\[if\b/i.test(code)) inner(code.replace(/^[^\]]*\]>?/, ''));
      },
      inForeignContent: () => isForeign(stack.top),
      attributesDropped() {},
      outOfTime: () => false,
    },
    LIMITS,
  );
  stack.closeAll();
  return withoutRepeats([...links, ...linksInText(text).links]);
}

function isForeign(element: OpenElement | undefined): boolean {
  return element?.foreign === true && !element.traits.holdsHtml;
}

/** Where an address leads on the web; null where it leads nowhere, or to something that is not checked. */
function resolve(address: string, base: string | null): string | null {
  const text = address.trim();
  const alone = /^[\\/]{2}/.test(text) ? `https:${text}` : text;
  const url = readUrl(alone) ?? (base === null ? null : readUrl(alone, base)) ?? bareUrl(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** Mail programs complete what would be relative to nothing. */
const bareUrl = (text: string): URL | null => (isBareAddress(text) ? readUrl(`http://${text}`) : null);
