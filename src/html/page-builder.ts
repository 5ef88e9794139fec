import type { PageDocument, PageLimit } from './document.ts';
import { BEGINNINGS } from './element-begin.ts';
import type { OpenElement } from './element-stack.ts';
import { traitsOf } from './element-traits.ts';
import type { HtmlLimits } from './limits.ts';
import { replaceNuls } from './nul.ts';
import { type OpenPage, openPage, originOf } from './open-page.ts';
import { resolveUrl } from './resolve-url.ts';
import { oneLine } from './text-sink.ts';
import { type MarkupEvents, tokenize } from './tokenize.ts';

type Attributes = ReadonlyMap<string, string>;

/** Turns the events of a text into a {@link PageDocument}. */
export interface PageBuilder extends MarkupEvents {
  /** Ends what is still open. To be called once. */
  finish(): PageDocument;
  reached(limit: PageLimit): void;
}

/** How much of the text before a field may name it. */
const TEXT_BEFORE_FIELD = 80;
/** How much of a text an element keeps, by and large, and of one run of it. */
const MAX_CAPTURED = 1000;

/** A builder for the page at `url`. `outOfTime` is asked between chunks, also of what scripts write. */
export function createPageBuilder(
  source: { readonly url: string; readonly encoding: string },
  limits: HtmlLimits,
  outOfTime: () => boolean,
): PageBuilder {
  const page = openPage(limits, (markup) => tokenize(markup, builder, limits));
  const builder: PageBuilder = {
    reached: (limit) => void page.reached.add(limit),
    open: (name, attributes, selfClosing) => openElement(page, name, attributes, selfClosing),
    close: (name) => closeElement(page, name),
    text: (text, spelledLetters) => addText(page, text, spelledLetters),
    comment: (text) => addComment(page, text),
    inForeignContent: () => isForeignInside(page.stack.top),
    attributesDropped: () => void page.reached.add('attributes'),
    outOfTime() {
      const isOver = outOfTime();
      if (isOver) page.reached.add('time');
      return isOver;
    },
    finish: () => finishPage(page, source),
  };
  return builder;
}

function openElement(page: OpenPage, name: string, attributes: Attributes, selfClosing: boolean): void {
  const { stack } = page;
  const traits = traitsOf(name);
  page.elements += 1;
  endElementsBefore(page, name);
  const outer = stack.top;
  const foreign = traits.isForeignRoot || isForeignInside(outer);
  if (traits.isBlock) breakLine(page);
  page.scripts.readHandlers(attributes);
  page.assets.addBackground(attributes);
  // The title of a drawing is not the page's, and its scripts and links are the page's all the same.
  const begin = foreign && name === 'title' ? undefined : BEGINNINGS.get(name);
  const onEnd = begin?.(page, attributes, name) ?? null;
  if (traits.isVoid || (foreign && selfClosing)) {
    onEnd?.();
    return;
  }
  page.rawText = '';
  page.spelled.inRawText = 0;
  const isHidden = (outer?.hidden ?? false) || hides(name, attributes);
  if (!stack.push({ name, traits, hidden: isHidden, foreign, onEnd })) page.reached.add('depth');
}

/** Ends what cannot hold the element that begins. */
function endElementsBefore({ stack }: OpenPage, name: string): void {
  const { endsSibling, breaksOut } = traitsOf(name);
  const parent = stack.top;
  if (endsSibling && parent?.name === name && !parent.foreign) stack.close(name);
  if (name === 'a' && stack.isOpen('a')) stack.close('a');
  if (breaksOut) stack.closeWhile(isForeignInside);
}

function closeElement(page: OpenPage, name: string): void {
  const { isBlock } = traitsOf(name);
  if (name === 'br') breakLine(page);
  if (name === 'form') page.forms.closeForm();
  page.stack.close(name);
  if (isBlock) breakLine(page);
}

function addText(page: OpenPage, text: string, spelledLetters: number): void {
  const { stack, spelled } = page;
  const { top } = stack;
  spelled.all += spelledLetters;
  if (top?.traits.isRaw && !top.foreign) {
    page.rawText += text;
    spelled.inRawText += spelledLetters;
    if (!top.traits.isListing) return;
  }
  if (top?.traits.isSilent) return;
  const shown = replaceNuls(text, '');
  for (const entry of page.captures) {
    if (entry.text.length < MAX_CAPTURED) entry.text += shown.slice(0, MAX_CAPTURED);
  }
  const origin = originOf(page);
  if (origin === 'noscript') return;
  (top?.hidden || origin === 'template' ? page.hidden : page.visible).add(shown);
  page.textBefore = (page.textBefore + shown.slice(-TEXT_BEFORE_FIELD)).slice(-TEXT_BEFORE_FIELD);
}

function addComment({ comments, limits, reached }: OpenPage, text: string): void {
  const comment = oneLine(text, 300);
  if (comment === '') return;
  if (comments.length >= limits.comments) reached.add('items');
  else comments.push(comment);
}

function breakLine({ visible, hidden, captures }: OpenPage): void {
  visible.breakLine();
  hidden.breakLine();
  for (const entry of captures) entry.text += ' ';
}

function finishPage(page: OpenPage, source: { readonly url: string; readonly encoding: string }): PageDocument {
  // What ends only now is still read.
  page.stack.closeAll();
  const { base, meta, headings, comments, forms, visible, hidden, elements, spelled } = page;
  if (visible.isFull) page.reached.add('text');
  const named = base === null ? null : resolveUrl(base, source.url);
  const baseUrl = named !== null && /^https?:/.test(named) ? named : source.url;
  const { counts, canonical, ...found } = page.assets.finish(baseUrl);
  return {
    ...source,
    limits: [...page.reached].sort(),
    language: page.language,
    title: page.title,
    base,
    baseUrl,
    meta: canonical === null ? { ...meta } : { ...meta, canonical },
    headings,
    visibleText: visible.finish(),
    hiddenText: hidden.finish(),
    comments,
    forms: forms.finish(baseUrl, source.url),
    ...found,
    scripts: page.scripts.finish(),
    counts: {
      ...counts,
      elements,
      fields: forms.fieldCount,
      spelledLetters: spelled.all,
      spelledTitleLetters: spelled.inTitle,
    },
  };
}

function isForeignInside(element: OpenElement | undefined): boolean {
  return element?.foreign === true && !element.traits.holdsHtml;
}

/** Whether an element keeps its content from the reader by itself. A hidden body is one that script will show. */
function hides(name: string, attributes: Attributes): boolean {
  if (name === 'body' || name === 'html') return false;
  if (attributes.has('hidden')) return true;
  const style = attributes.get('style');
  if (style === undefined) return false;
  return /(?:^|;)(?:display:none|visibility:hidden|opacity:0(?:\.0+)?(?:;|!|$)|font-size:0(?:px|pt|em)?(?:;|!|$)|(?:left|top|text-indent):-\d{4})/.test(
    style.replace(/\s+/g, '').toLowerCase(),
  );
}
