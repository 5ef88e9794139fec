import type { ContentPolicies } from './content-policy.ts';
import type { PageDocument, PageLimit } from './document.ts';
import { createScope } from './document-scope.ts';
import { BEGINNINGS } from './element-begin.ts';
import type { OpenElement } from './element-stack.ts';
import { type ElementTraits, traitsOf } from './element-traits.ts';
import { type HtmlLimits, WORK } from './limits.ts';
import { replaceNuls } from './nul.ts';
import { type OpenPage, openPage, originOf, readWritten } from './open-page.ts';
import { findExits } from './page-exits.ts';
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

/** Characters of the text before a field that may name it. */
const TEXT_BEFORE_FIELD = 80;
/** Approximate maximum text of an element, and of one run in it. */
const MAX_CAPTURED = 1000;

/** A builder for the page at `url`. `isStopped` is asked between chunks, also of what scripts write. */
export function createPageBuilder(
  source: {
    readonly url: string;
    readonly encoding: string;
    readonly policies: ContentPolicies;
    readonly scripts: ReadonlyMap<string, string>;
  },
  limits: HtmlLimits,
  isStopped: () => boolean,
): PageBuilder {
  const { url, policies, scripts } = source;
  const scope = createScope({ url, fallbackUrl: () => url, policies, allowsForms: policies.allowsForms });
  const page = openPage(scope, limits, scripts, (markup) => tokenize(markup, builder, limits));
  const builder: PageBuilder = {
    reached: (limit) => void page.reached.add(limit),
    open: (name, attributes, selfClosing) => openElement(page, name, attributes, selfClosing),
    close: (name) => closeElement(page, name),
    text: (text, spelledLetters) => addText(page, text, spelledLetters),
    comment: (text) => addComment(page, text),
    inForeignContent: () => isForeignInside(page.stack.top),
    holdsMarkupAsText: (name) => name === 'noscript' && originOf(page) !== 'noscript',
    attributesDropped: () => void page.reached.add('attributes'),
    isSpent(characters) {
      page.work += WORK.character * characters;
      if (page.work > limits.work) page.reached.add('work');
      else if (isStopped()) page.reached.add('time');
      return page.reached.has('work') || page.reached.has('time');
    },
    finish: () => finishPage(page, source),
  };
  return builder;
}

function openElement(page: OpenPage, name: string, attributes: Attributes, selfClosing: boolean): void {
  const { stack } = page;
  const traits = traitsOf(name);
  page.elements += 1;
  page.work += WORK.element;
  endElementsBefore(page, name);
  const outer = stack.top;
  const foreign = traits.isForeignRoot || isForeignInside(outer);
  if (traits.isBlock) breakLine(page);
  page.scripts.addElement(name, attributes);
  page.assets.addBackground(attributes);
  noteBody(page, traits, attributes);
  const isForm = name === 'form' && !foreign;
  const form = isForm ? page.forms.openForm(attributes, page.place) : (outer?.form ?? null);
  if (isForm && (form === null || outer?.traits.isTablePart)) return;
  if (!isForm) page.forms.addElement(attributes, page.place);
  const begin = foreign && !FOREIGN.has(name) ? undefined : BEGINNINGS.get(name);
  const onEnd = begin?.(page, attributes, name) ?? null;
  if (foreign ? selfClosing : traits.isVoid) {
    onEnd?.();
    return;
  }
  page.rawText = '';
  page.spelled.inRawText = 0;
  const isHidden = (outer?.hidden ?? false) || hides(name, attributes);
  const isBoundary = name === 'template' && !foreign;
  const element = { name, traits, hidden: isHidden, foreign, onEnd, isBoundary, form: isBoundary ? null : form };
  if (!stack.push(element)) page.reached.add('depth');
}

/** An element that is not allowed in the head begins the body; one with visible content prevents a `frameset`. */
function noteBody({ place: { origin, scope } }: OpenPage, traits: ElementTraits, attributes: Attributes): void {
  if (origin !== 'page' && origin !== 'srcdoc') return;
  if (!traits.isOfHead) scope.isInBody = true;
  if (traits.keepsBody && attributes.get('type')?.toLowerCase() !== 'hidden') scope.isBodyStored = true;
}

/** Text begins the body, and prevents a `frameset`. */
function noteText({ place: { origin, scope } }: OpenPage, text: string): void {
  if (scope.isBodyStored || (origin !== 'page' && origin !== 'srcdoc') || !/[^\t\n\f\r ]/.test(text)) return;
  scope.isInBody = true;
  scope.isBodyStored = true;
}

/** Elements that also have a meaning in a drawing: its title is not the page's, and its forms are not forms. */
const FOREIGN: ReadonlySet<string> = new Set(['a', 'script', 'style', 'image']);

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
  if (name === 'form' && !page.stack.isForeignOpen(name)) closeForm(page);
  else page.stack.close(name);
  if (isBlock) breakLine(page);
}

/** Only its end tag ends a form (HTML standard, "form element pointer"), whatever happens to the elements around it. */
function closeForm({ stack, place: { tree, origin } }: OpenPage): void {
  if (origin === 'template' || origin === 'shadow') {
    stack.close('form');
    return;
  }
  const { form } = tree;
  // Content that a script may write ends no form except its own.
  if (form === null || (origin === 'written' && form.place.origin !== 'written')) return;
  tree.form = null;
  stack.closeForm(form);
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
  noteText(page, text);
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

function finishPage(
  page: OpenPage,
  { url, encoding }: { readonly url: string; readonly encoding: string },
): PageDocument {
  // Elements that end only now are still parsed.
  page.stack.closeAll();
  readWritten(page, page.scripts.readHandlers());
  const { scope, meta, headings, comments, forms, visible, hidden, elements, spelled } = page;
  if (visible.isFull) page.reached.add('text');
  const baseUrl = scope.baseUrl ?? url;
  const { counts, canonical, frameSizes, ...found } = page.assets.finish(baseUrl);
  const visibleText = visible.finish();
  const foundForms = forms.finish();
  const absolute = (address: string) => resolveUrl(address, baseUrl) ?? [];
  const { scripted, clicked, sendsForm } = page.scripts.exits();
  return {
    url,
    encoding,
    limits: [...page.reached].sort(),
    language: page.language,
    title: page.title ?? page.writtenTitle,
    base: scope.base,
    baseUrl,
    meta: canonical === null ? { ...meta } : { ...meta, canonical },
    headings,
    visibleText,
    hiddenText: hidden.finish(),
    comments,
    forms: foundForms,
    ...found,
    exits: findExits({
      ...{ url, visibleText, links: found.links, forms: foundForms },
      frames: found.frames.map((frame, i) => ({ frame, size: frameSizes[i] ?? 'hidden' })),
      scripted: scripted.flatMap(absolute),
      clicked: clicked.flatMap(absolute),
      sendsForm,
    }),
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

/** Returns true if an element itself hides its content. A hidden body is one that script will show. */
function hides(name: string, attributes: Attributes): boolean {
  if (name === 'body' || name === 'html') return false;
  if (attributes.has('hidden')) return true;
  const style = attributes.get('style');
  if (style === undefined) return false;
  return /(?:^|;)(?:display:none|visibility:hidden|opacity:0(?:\.0+)?(?:;|!|$)|font-size:0(?:px|pt|em)?(?:;|!|$)|(?:left|top|text-indent):-\d{4})/.test(
    style.replace(/\s+/g, '').toLowerCase(),
  );
}
