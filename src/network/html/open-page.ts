import { resolveUrl } from './addresses.ts';
import { type AssetCollector, createAssetCollector } from './asset-collector.ts';
import type { PageSyntax } from './charset.ts';
import type { PageLimit, PageOrigin } from './document.ts';
import type { DocumentScope } from './document-scope.ts';
import { createElementStack, type ElementStack, traitsOf } from './element-stack.ts';
import { createFormCollector, type FormCollector } from './form-collector.ts';
import type { HtmlLimits } from './limits.ts';
import { emptyTree, type MarkupPlace } from './open-form.ts';
import { createScriptCollector, type ScriptCollector } from './scripts/script-collector.ts';
import { createStyleRules, type StyleRules } from './styles/style-rules.ts';
import { createTextLead, createTextSink, type TextLead, type TextSink } from './text-sink.ts';

/** State of a page while it is read: the collected data, and the reader's position. */
export interface OpenPage {
  readonly limits: HtmlLimits;
  /** Reads markup that the page carries or writes, as if it stood here. */
  readonly readMarkup: (markup: string) => void;
  readonly reached: Set<PageLimit>;
  readonly stack: ElementStack;
  readonly forms: FormCollector;
  readonly assets: AssetCollector;
  readonly scripts: ScriptCollector;
  readonly visible: TextSink;
  readonly hidden: TextSink;
  /** Text that a style sheet hides; it may be shown by a script. */
  readonly styled: TextSink;
  readonly styles: StyleRules;
  readonly lead: TextLead;
  readonly headings: string[];
  readonly comments: string[];
  readonly meta: Record<string, string>;
  /** Texts that are being gathered for an element: a link, a label, a heading, a button. */
  readonly captures: Capture[];
  /** The page's own document. */
  readonly scope: DocumentScope;
  /** Current place in the page. */
  place: MarkupPlace;
  /** True while XML is read; markup within the page is HTML. */
  isXml: boolean;
  language: string | null;
  title: string | null;
  /** Title that a script writes, used if the page has no other. */
  writtenTitle: string | null;
  /** The text that was last read; its end may name a field. */
  textBefore: string;
  /** Content of the innermost element as raw text. */
  rawText: string;
  /** Letters and digits that were spelt as numeric character references: in all, in `rawText`, in the title. */
  readonly spelled: { all: number; inRawText: number; inTitle: number };
  elements: number;
  /** Empty elements that applications draw themselves into. */
  openRoots: number;
  /** Fields that nothing hides. */
  shownFields: number;
  /** Units of work that were done. */
  work: number;
  /** Pages within the page: how deep the reader is in them, and how much of them it may still read. */
  readonly inner: { depth: number; charactersLeft: number };
}

/** Text that is gathered for an element: all of it, and what nothing hides. */
interface Capture {
  all: string;
  visible: string;
}

/** Characters of the text before a field that may name it. */
export const TEXT_BEFORE_FIELD = 80;

/** Maximum number of concurrent captures. */
const MAX_CAPTURES = 16;

/** A page of which nothing has been read. */
export function openPage(
  scope: DocumentScope,
  limits: HtmlLimits,
  { syntax, files }: { readonly syntax: PageSyntax; readonly files: ReadonlyMap<string, string> },
  readMarkup: (markup: string) => void,
): OpenPage {
  const reached = new Set<PageLimit>();
  const onFull = () => void reached.add('items');
  return {
    limits,
    readMarkup,
    reached,
    stack: createElementStack(limits.depth),
    forms: createFormCollector(limits, onFull),
    assets: createAssetCollector(limits, onFull),
    scripts: createScriptCollector(limits, {
      url: scope.url,
      files,
      resolve: (source) => resolveUrl(source, scope.baseUrl),
    }),
    visible: createTextSink(limits.visibleTextCharacters),
    hidden: createTextSink(limits.hiddenTextCharacters),
    styled: createTextSink(limits.visibleTextCharacters),
    styles: createStyleRules(),
    lead: createTextLead(),
    headings: [],
    comments: [],
    meta: Object.create(null),
    captures: [],
    scope,
    place: { origin: 'page', scope, tree: emptyTree() },
    isXml: syntax === 'xml',
    language: null,
    title: null,
    writtenTitle: null,
    textBefore: '',
    rawText: '',
    spelled: { all: 0, inRawText: 0, inTitle: 0 },
    elements: 0,
    openRoots: 0,
    shownFields: 0,
    work: 0,
    inner: { depth: 0, charactersLeft: limits.innerCharacters },
  };
}

/** Returns the current origin of content. */
export function originOf({ place }: OpenPage): PageOrigin {
  return place.origin;
}

/** Returns true if nothing that is read here is shown or acts: it is for browsers without script, or for scripts to take out. */
export function isInert({ place }: OpenPage): boolean {
  return place.origin === 'noscript' || place.origin === 'template';
}

/** Parses what follows in another place of the document, until the returned function is called. */
export function enter(page: OpenPage, place: Partial<MarkupPlace>): () => void {
  const outer = page.place;
  page.place = { ...outer, ...place };
  return () => {
    page.place = outer;
  };
}

/**
 * Collects text until the returned function is called, and passes it to `done`: what is shown of it, without letters that
 * are hidden between; all of it if nothing is shown.
 */
export function captureText(page: OpenPage, done: (text: string) => void): () => void {
  const { captures } = page;
  const capture: Capture = { all: '', visible: '' };
  if (captures.length < MAX_CAPTURES) captures.push(capture);
  return () => {
    const at = captures.lastIndexOf(capture);
    if (at !== -1) captures.splice(at, 1);
    done(capture.visible.trim() === '' ? capture.all : capture.visible);
  };
}

/** Root of markup within the page; no tag can have this name. */
const INNER_ROOT = '#root';

/** Reads markup within the page, within its budget; it cannot end elements around it. */
export function readInner(page: OpenPage, markup: string, place: Partial<MarkupPlace>): void {
  const { inner, limits, reached } = page;
  if (inner.depth >= limits.innerDepth || inner.charactersLeft <= 0) {
    reached.add('characters');
    return;
  }
  const text = markup.slice(0, inner.charactersLeft);
  inner.charactersLeft -= text.length;
  inner.depth += 1;
  readWithin(page, text, place);
  inner.depth -= 1;
}

/** Reads what scripts write into the page. */
export function readWritten(page: OpenPage, written: readonly string[]): void {
  const origin = isInert(page) ? originOf(page) : 'written';
  for (const markup of written) readInner(page, markup, { origin });
}

/** The same for markup that was counted as part of the page already. */
export function readWithin(page: OpenPage, markup: string, place: Partial<MarkupPlace>): void {
  const leave = enter(page, place);
  // Elements that the markup leaves open end with it.
  const form = place.tree === undefined ? page.stack.top?.form : null;
  const element = { name: INNER_ROOT, traits: traitsOf(INNER_ROOT), hidden: false, foreign: false, onEnd: null };
  const root = { ...element, isBoundary: true, form };
  const { isXml } = page;
  page.stack.push(root);
  page.isXml = false;
  page.readMarkup(markup);
  page.stack.closeThrough(root);
  page.isXml = isXml;
  leave();
}
