import { OPEN_ROOTS } from '#src/core/knowledge/words/markup-words.ts';
import { resolveUrl } from './addresses.ts';
import type { PageSyntax } from './charset.ts';
import type { ContentPolicies } from './content-policy.ts';
import { type PageDocument, type PageLimit, withPassing } from './document.ts';
import { createScope } from './document-scope.ts';
import { BEGINNINGS, readEditable } from './element-begin.ts';
import { type ElementTraits, type OpenElement, traitsOf } from './element-stack.ts';
import { type HtmlLimits, WORK } from './limits.ts';
import { captureText, type OpenPage, openPage, originOf, readWritten, TEXT_BEFORE_FIELD } from './open-page.ts';
import { findExits } from './page-exits.ts';
import { describeContent } from './shown-content.ts';
import { hides } from './styles/hiding.ts';
import { oneLine, replaceNuls } from './text-sink.ts';
import { type MarkupEvents, tokenize } from './tokenize.ts';

type Attributes = ReadonlyMap<string, string>;

/** Turns the events of a text into a {@link PageDocument}. */
export interface PageBuilder extends MarkupEvents {
  /** Ends what is still open. To be called once. */
  finish(): PageDocument;
  reached(limit: PageLimit): void;
  /** Units of work that are left of the budget. */
  workLeft(): number;
}

/** Approximate maximum text of an element, and of one run in it. */
const MAX_CAPTURED = 1000;

/** A text to read as a page. */
export interface ReadSource {
  readonly url: string;
  readonly encoding: string;
  readonly syntax: PageSyntax;
  readonly policies: ContentPolicies;
  /** See `PageSource.scripts`. */
  readonly scripts: ReadonlyMap<string, string>;
}

/** A builder for the page at `url`. `isStopped` is asked between chunks, also of what scripts write. */
export function createPageBuilder(source: ReadSource, limits: HtmlLimits, isStopped: () => boolean): PageBuilder {
  const { url, policies, syntax, scripts } = source;
  const { allowsForms } = policies;
  const scope = createScope({ url, fallbackUrl: () => url, policies, allowsForms, frame: null });
  const page = openPage(scope, limits, { syntax, files: scripts }, (markup) => tokenize(markup, builder, limits));
  const builder: PageBuilder = {
    reached: (limit) => void page.reached.add(limit),
    open: (name, attributes, selfClosing) => openElement(page, name, attributes, selfClosing),
    close: (name) => closeElement(page, name),
    text: (text, spelledLetters, start) => addText(page, { text, spelledLetters, start }),
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
    workLeft: () => Math.max(0, limits.work - page.work),
    finish: () => finishPage(page, source),
  };
  return builder;
}

function openElement(page: OpenPage, name: string, attributes: Attributes, selfClosing: boolean): void {
  const { stack } = page;
  const traits = traitsOf(name);
  page.elements += 1;
  page.work += WORK.element;
  if (!page.isXml) endElementsBefore(page, name);
  const outer = stack.top;
  const foreign = traits.isForeignRoot || isForeignInside(outer);
  if (traits.isBlock) breakLine(page);
  page.scripts.addElement(name, attributes);
  page.assets.addBackground(attributes);
  noteBody(page, traits, attributes);
  const isForm = name === 'form' && !foreign;
  const form = isForm ? page.forms.openForm(attributes, page.place) : (outer?.form ?? null);
  // In XML, a form ends with its element, and may be inside another one.
  if (page.isXml) page.place.tree.form = null;
  if (isForm && !page.isXml && (form === null || outer?.traits.isTablePart)) return;
  if (!isForm) page.forms.addElement(attributes, page.place);
  const begin = foreign && !FOREIGN.has(name) ? undefined : BEGINNINGS.get(name);
  const onEnd = begin ? begin(page, attributes, name) : openRoot(page, attributes.get('id')?.toLowerCase() ?? name);
  if (!foreign) readEditable(page, attributes, name);
  if (foreign || page.isXml ? selfClosing : traits.isVoid) {
    onEnd?.();
    return;
  }
  page.rawText = '';
  page.spelled.inRawText = 0;
  const isBoundary = name === 'template' && !foreign;
  const { hidden, isStyled = false } = hidingOf(page, name, attributes);
  const element = { name, traits, hidden, isStyled, foreign, onEnd, isBoundary, form: isBoundary ? null : form };
  if (!stack.push(element)) page.reached.add('depth');
}

/** An element that is not allowed in the head begins the body; one with visible content prevents a `frameset`. */
function noteBody({ place: { origin, scope } }: OpenPage, traits: ElementTraits, attributes: Attributes): void {
  if (origin !== 'page' && origin !== 'srcdoc') return;
  if (!traits.isOfHead) scope.isInBody = true;
  if (traits.keepsBody && attributes.get('type')?.toLowerCase() !== 'hidden') scope.isBodyStored = true;
}

/** Text that is not blank begins the body, and prevents a `frameset`. */
function noteText({ place: { origin, scope } }: OpenPage): void {
  if (origin !== 'page' && origin !== 'srcdoc') return;
  scope.isInBody = true;
  scope.isBodyStored = true;
}

/** Counts an element into which an application draws itself, if nothing is in it; null for any other element. */
function openRoot(page: OpenPage, name: string): (() => void) | null {
  if (!OPEN_ROOTS.has(name)) return null;
  const { elements } = page;
  return captureText(page, (text) => {
    if (page.elements === elements && text.trim() === '') page.openRoots += 1;
  });
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
  if (name === 'form' && !page.isXml && !page.stack.isForeignOpen(name)) closeForm(page);
  else page.stack.close(name);
  if (isBlock) breakLine(page);
}

/** Only its end tag ends a form (HTML standard, "form element pointer"), regardless of the elements around it. */
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

function addText(
  page: OpenPage,
  { text, spelledLetters, start }: { readonly text: string; readonly spelledLetters: number; readonly start: number },
): void {
  const { stack, spelled } = page;
  const { top } = stack;
  spelled.all += spelledLetters;
  if (top?.traits.isRaw && (!top.foreign || FOREIGN.has(top.name))) {
    page.rawText += text;
    spelled.inRawText += spelledLetters;
    if (!top.traits.isListing) return;
  }
  if (top?.traits.isSilent) return;
  const isEmpty = isBlank(text);
  if (!isEmpty) noteText(page);
  const shown = isEmpty ? text : replaceNuls(text, '');
  const origin = originOf(page);
  const isHidden = top?.hidden || origin === 'template' || origin === 'noscript';
  for (const capture of page.captures) {
    if (capture.all.length < MAX_CAPTURED) capture.all += shown.slice(0, MAX_CAPTURED);
    if (!isHidden && capture.visible.length < MAX_CAPTURED) capture.visible += shown.slice(0, MAX_CAPTURED);
  }
  if (origin === 'noscript') return;
  const sink = top?.isStyled ? page.styled : page.hidden;
  const sunk = isHidden ? sink : page.visible;
  sunk.add(isEmpty ? ' ' : shown);
  if (!isHidden && !isEmpty) page.lead.add(shown, start);
  page.textBefore += shown.slice(-TEXT_BEFORE_FIELD);
  if (page.textBefore.length > 100 * TEXT_BEFORE_FIELD) page.textBefore = page.textBefore.slice(-TEXT_BEFORE_FIELD);
}

/** Returns true if a text consists of white space of HTML, as most of it between tags does. */
function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x09 && code !== 0x0d && code !== 0x0c) return false;
  }
  return true;
}

function addComment({ comments, limits, reached }: OpenPage, text: string): void {
  const comment = oneLine(text, 300);
  if (comment === '') return;
  if (comments.length >= limits.comments) reached.add('items');
  else comments.push(comment);
}

function breakLine({ visible, hidden, styled, captures }: OpenPage): void {
  visible.breakLine();
  hidden.breakLine();
  styled.breakLine();
  for (const capture of captures) {
    capture.all += ' ';
    capture.visible += ' ';
  }
}

function finishPage(
  page: OpenPage,
  { url, encoding }: { readonly url: string; readonly encoding: string },
): PageDocument {
  // Elements that end only now are still parsed.
  page.stack.closeAll();
  readWritten(page, page.scripts.readHandlers());
  const { scope, meta, headings, comments, forms, visible, elements, spelled } = page;
  if (visible.isFull) page.reached.add('text');
  const baseUrl = scope.baseUrl ?? url;
  const { counts, canonical, iconData, ...found } = page.assets.finish(baseUrl);
  const { visibleText, hiddenText } = textsOf(page);
  const foundForms = forms.finish();
  const absolute = (address: string) => resolveUrl(address, baseUrl) ?? [];
  const { scripted, immediate, clicked, sendsForm } = page.scripts.exits();
  const document: PageDocument = {
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
    hiddenText,
    comments,
    forms: foundForms,
    ...found,
    exits: findExits({
      ...{ url, visibleText, links: found.links, forms: foundForms, frames: found.frames },
      scripted: scripted.flatMap(absolute),
      immediate: immediate.flatMap(absolute),
      clicked: clicked.flatMap(absolute),
      sendsForm,
    }),
    scripts: page.scripts.finish(),
    counts: {
      ...counts,
      elements,
      fields: forms.fieldCount,
      beforeContent: page.lead.at,
      spelledLetters: spelled.all,
      spelledTitleLetters: spelled.inTitle,
      handlers: page.scripts.handlerCount(),
      openRoots: page.openRoots,
    },
  };
  return withPassing(
    { ...document, content: describeContent(document) },
    { cookies: page.scripts.cookies(), ...(iconData !== null && { iconData }) },
  );
}

function isForeignInside(element: OpenElement | undefined): boolean {
  return element?.foreign === true && !element.traits.holdsHtml;
}

/** A page with less text shows nothing yet: a script will show what its style sheets hide. */
const FEW_CHARACTERS = 200;

/** Returns the text of a page by how it is seen; what style sheets hide is hidden if there is something else to see. */
function textsOf({ visible, hidden, styled, shownFields, limits }: OpenPage): {
  visibleText: string;
  hiddenText: string;
} {
  const [visibleText, hiddenText, styledText] = [visible.finish(), hidden.finish(), styled.finish()];
  if (styledText === '') return { visibleText, hiddenText };
  if (visibleText.length < FEW_CHARACTERS && shownFields === 0)
    return { visibleText: `${visibleText}\n${styledText}`.trim(), hiddenText };
  return {
    visibleText,
    hiddenText: `${hiddenText}\n${styledText}`.trim().slice(0, limits.hiddenTextCharacters).toWellFormed(),
  };
}

const SHOWN = { hidden: false, isStyled: false };
const STYLED = { hidden: true, isStyled: true };

type Hiding = Pick<OpenElement, 'hidden' | 'isStyled'>;

/** Returns how an element hides its content. A hidden body is one that script will show. */
function hidingOf({ stack, styles }: OpenPage, name: string, attributes: Attributes): Hiding {
  const outer: Hiding = stack.top ?? SHOWN;
  const isOwn = outer.hidden && !outer.isStyled;
  if (isOwn || name === 'body' || name === 'html') return outer;
  const style = attributes.get('style');
  if (attributes.has('hidden') || (style !== undefined && hides(style))) return { hidden: true, isStyled: false };
  const isStyled = outer.hidden || styles.hides(name, attributes);
  return isStyled ? STYLED : SHOWN;
}
