import { type AssetCollector, createAssetCollector } from './asset-collector.ts';
import type { PageLimit, PageOrigin } from './document.ts';
import { createElementStack, type ElementStack } from './element-stack.ts';
import { createFormCollector, type FormCollector } from './form-collector.ts';
import type { HtmlLimits } from './limits.ts';
import { createScriptCollector, type ScriptCollector } from './script-collector.ts';
import { createTextSink, type TextSink } from './text-sink.ts';

/** A page while it is being read: what was gathered so far, and where in it the reader stands. */
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
  readonly headings: string[];
  readonly comments: string[];
  readonly meta: Record<string, string>;
  /** Texts that are being gathered for an element: a link, a label, a heading, a button. */
  readonly captures: { text: string }[];
  /** From the page itself inwards to where the reader stands. */
  origins: readonly PageOrigin[];
  language: string | null;
  title: string | null;
  base: string | null;
  /** The end of the text that was last read, which may name a field. */
  textBefore: string;
  /** Content of the innermost element as raw text. */
  rawText: string;
  /** Letters and digits that were spelt as numeric character references: in all, in `rawText`, in the title. */
  readonly spelled: { all: number; inRawText: number; inTitle: number };
  elements: number;
  /** Pages within the page: how deep the reader is in them, and how much of them it may still read. */
  readonly inner: { depth: number; charactersLeft: number };
}

/** How many texts may be gathered at a time. */
const MAX_CAPTURES = 16;

/** A page of which nothing has been read. */
export function openPage(limits: HtmlLimits, readMarkup: (markup: string) => void): OpenPage {
  const reached = new Set<PageLimit>();
  const onFull = () => void reached.add('items');
  return {
    limits,
    readMarkup,
    reached,
    stack: createElementStack(limits.depth),
    forms: createFormCollector(limits, onFull),
    assets: createAssetCollector(limits, onFull),
    scripts: createScriptCollector(limits),
    visible: createTextSink(limits.visibleTextCharacters),
    hidden: createTextSink(limits.hiddenTextCharacters),
    headings: [],
    comments: [],
    meta: Object.create(null),
    captures: [],
    origins: ['page'],
    language: null,
    title: null,
    base: null,
    textBefore: '',
    rawText: '',
    spelled: { all: 0, inRawText: 0, inTitle: 0 },
    elements: 0,
    inner: { depth: 0, charactersLeft: limits.innerCharacters },
  };
}

/** Where in the page the reader stands. */
export function originOf({ origins }: OpenPage): PageOrigin {
  return origins.at(-1) ?? 'page';
}

/** From here to the answer's call, what is read comes from `origin`. */
export function enter(page: OpenPage, origin: PageOrigin): () => void {
  const outer = page.origins;
  page.origins = [...outer, origin];
  return () => {
    page.origins = outer;
  };
}

/** From here to the answer's call, text is gathered, and `done` told of it. */
export function captureText(page: OpenPage, done: (text: string) => void): () => void {
  const { captures } = page;
  const entry = { text: '' };
  if (captures.length < MAX_CAPTURES) captures.push(entry);
  return () => {
    const at = captures.lastIndexOf(entry);
    if (at !== -1) captures.splice(at, 1);
    done(entry.text);
  };
}

/** Reads a page within the page, within its budget. */
export function readInner(page: OpenPage, markup: string, origin: PageOrigin): void {
  const { inner, limits, reached } = page;
  if (inner.depth >= limits.innerDepth || inner.charactersLeft <= 0) {
    reached.add('characters');
    return;
  }
  const text = markup.slice(0, inner.charactersLeft);
  inner.charactersLeft -= text.length;
  inner.depth += 1;
  const leave = enter(page, origin);
  page.readMarkup(text);
  leave();
  inner.depth -= 1;
}
