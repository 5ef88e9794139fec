import { createAssetCollector } from './asset-collector.ts';
import { htmlOfDataAddress } from './data-page.ts';
import type { PageDocument, PageLimit, PageOrigin } from './document.ts';
import { createElementStack, type OpenElement } from './element-stack.ts';
import { createFormCollector } from './form-collector.ts';
import type { HtmlLimits } from './limits.ts';
import { replaceNuls } from './nul.ts';
import { resolveUrl } from './resolve-url.ts';
import { createScriptCollector } from './script-collector.ts';
import { createTextSink, oneLine } from './text-sink.ts';
import { type MarkupEvents, tokenize } from './tokenize.ts';

type Attributes = ReadonlyMap<string, string>;

/** Turns the events of a text into a {@link PageDocument}. */
export interface PageBuilder extends MarkupEvents {
  /** Ends what is still open. To be called once. */
  finish(): PageDocument;
  reached(limit: PageLimit): void;
}

const VOID = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(' '),
);
const BLOCKS = new Set(
  (
    'address article aside blockquote body br button center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol option p pre section select summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);
/** An element of these names ends an open one of the same name right around it. */
const SELF_CLOSING_SIBLINGS = new Set(['p', 'li', 'option', 'tr', 'td', 'th', 'dt', 'dd', 'a', 'button']);
/** Elements whose text a browser shows nowhere in the page. */
const SILENT = new Set('script style title noembed noframes iframe textarea datalist option'.split(' '));
const HEADINGS = new Set(['h1', 'h2', 'h3', 'legend']);
const RAW_TEXT = new Set('script style title textarea xmp iframe noembed noframes plaintext'.split(' '));
const FOREIGN_ROOTS = new Set(['svg', 'math']);
/** Elements that end a drawing around them (HTML standard, "parsing tokens in foreign content"). */
const BREAKS_OUT = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby ' +
    's small span strong strike sub sup table tt u ul var'
  ).split(' '),
);
const HTML_INSIDE_FOREIGN = new Set([
  'foreignobject',
  'desc',
  'title',
  'annotation-xml',
  'mi',
  'mo',
  'mn',
  'ms',
  'mtext',
]);
/** Stands for the root of a page within the page; no tag can have this name. */
const INNER_PAGE = '#page';
/** How many of them may be open within each other. */
const MAX_CAPTURES = 16;
/** How much of the text before a field may name it. */
const TEXT_BEFORE_FIELD = 80;

/** A builder for the page at `url`. `outOfTime` is asked between chunks, also of what scripts write. */
export function createPageBuilder(
  page: { readonly url: string; readonly encoding: string },
  limits: HtmlLimits,
  outOfTime: () => boolean,
): PageBuilder {
  const reachedLimits = new Set<PageLimit>();
  const reached = (limit: PageLimit) => void reachedLimits.add(limit);
  const stack = createElementStack(limits.depth);
  const forms = createFormCollector(limits, () => reached('items'));
  const assets = createAssetCollector(limits, () => reached('items'));
  const scripts = createScriptCollector(limits);
  const visible = createTextSink(limits.visibleTextCharacters);
  const hidden = createTextSink(limits.hiddenTextCharacters);
  const headings: string[] = [];
  const comments: string[] = [];
  const meta: Record<string, string> = Object.create(null);
  /** Texts that are being gathered for an element: a link, a label, a heading, a button. */
  const captures: { text: string }[] = [];
  let origins: readonly PageOrigin[] = ['page'];
  let language: string | null = null;
  let title: string | null = null;
  let base: string | null = null;
  let before = '';
  let rawText = '';
  let elements = 0;
  let spelled = 0;
  let spelledInTitle = 0;
  let spelledInRaw = 0;
  let innerDepth = 0;
  let innerLeft = limits.innerCharacters;

  const origin = (): PageOrigin => origins.at(-1) ?? 'page';
  const within = (inner: PageOrigin): (() => void) => {
    const outer = origins;
    origins = [...outer, inner];
    return () => {
      origins = outer;
    };
  };
  const capture = (done: (text: string) => void): (() => void) => {
    const entry = { text: '' };
    if (captures.length < MAX_CAPTURES) captures.push(entry);
    return () => {
      const at = captures.lastIndexOf(entry);
      if (at !== -1) captures.splice(at, 1);
      done(entry.text);
    };
  };
  const readInner = (markup: string, inner: PageOrigin) => {
    if (innerDepth >= limits.innerDepth || innerLeft <= 0) return reached('characters');
    const text = markup.slice(0, innerLeft);
    innerLeft -= text.length;
    innerDepth += 1;
    const leave = within(inner);
    tokenize(text, builder, limits);
    leave();
    innerDepth -= 1;
  };

  const readFrame = (attributes: Attributes) => {
    const markup = attributes.get('srcdoc') ?? htmlOfDataAddress(attributes.get('src') ?? '');
    if (markup === null) return;
    const leaveForms = forms.enterScope();
    // What the inner page leaves open must end with it.
    stack.push({ name: INNER_PAGE, attributes, hidden: false, foreign: false, onEnd: leaveForms });
    readInner(markup, 'srcdoc');
    stack.close(INNER_PAGE);
  };

  /** What is to happen when the element ends; null where nothing is. */
  const begin = (name: string, attributes: Attributes): (() => void) | null => {
    switch (name) {
      case 'html':
        language ??= attributes.get('lang')?.trim().slice(0, 35) || null;
        return null;
      case 'base':
        base ??= attributes.get('href') ?? null;
        return null;
      case 'meta':
        readMeta(attributes);
        return null;
      case 'title':
        return () => {
          if (title !== null || (origin() !== 'page' && origin() !== 'written')) return;
          title = oneLine(replaceNuls(rawText, '\ufffd'), limits.visibleTextCharacters);
          spelledInTitle = spelledInRaw;
        };
      case 'a':
        return capture((text) => assets.addLink(attributes, oneLine(text, limits.labelCharacters)));
      case 'area':
        assets.addLink(attributes, attributes.get('alt') ?? '');
        return null;
      case 'form':
        // Only its end tag ends a form (HTML standard, "form element pointer"), whatever happens to the elements around it.
        forms.openForm(attributes, origin());
        return null;
      case 'input':
      case 'select':
      case 'textarea':
        forms.addField(name, attributes, origin(), before);
        before = '';
        return null;
      case 'button':
        return capture((text) => forms.addButton(attributes, text, origin()));
      case 'label':
        return capture(forms.openLabel(attributes));
      case 'template': {
        const leaveForms = forms.enterScope();
        const leave = within(attributes.has('shadowrootmode') ? 'shadow' : 'template');
        return () => {
          leave();
          leaveForms();
        };
      }
      case 'noscript':
        return within('noscript');
      case 'script':
        assets.addScript(attributes);
        return () => {
          for (const markup of scripts.add(rawText, attributes)) readInner(markup, 'written');
        };
      case 'style':
        return () => assets.addStyleText(rawText);
      case 'iframe':
      case 'frame':
      case 'object':
      case 'embed':
        assets.addFrame(name, attributes);
        readFrame(attributes);
        return null;
      default:
        if (HEADINGS.has(name)) {
          return capture((text) => {
            const heading = oneLine(text, limits.labelCharacters);
            if (heading !== '' && headings.length < limits.smallItems) headings.push(heading);
          });
        }
        assets.addOther(name, attributes);
        return null;
    }
  };

  const readMeta = (attributes: Attributes) => {
    const content = attributes.get('content') ?? '';
    const equivalent = attributes.get('http-equiv')?.toLowerCase();
    if (equivalent === 'refresh') assets.addRefresh(content);
    const name = (attributes.get('name') ?? attributes.get('property') ?? '').toLowerCase().slice(0, 64);
    if (name !== '' && !(name in meta) && Object.keys(meta).length < limits.smallItems) {
      meta[name] = oneLine(content, 500);
    }
  };

  const builder: PageBuilder = {
    reached,
    open(name, attributes, selfClosing) {
      elements += 1;
      const parent = stack.top;
      if (SELF_CLOSING_SIBLINGS.has(name) && parent?.name === name && !parent.foreign) stack.close(name);
      if (name === 'a' && stack.isOpen('a')) stack.close('a');
      if (BREAKS_OUT.has(name)) stack.closeWhile(isForeignInside);
      const outer = stack.top;
      const foreign = FOREIGN_ROOTS.has(name) || (outer !== undefined && isForeignInside(outer));
      if (BLOCKS.has(name)) breakLine();
      scripts.readHandlers(attributes);
      assets.addBackground(attributes);
      // The title of a drawing is not the page's, and its scripts and links are the page's all the same.
      const onEnd = foreign && name === 'title' ? null : begin(name, attributes);
      if (VOID.has(name) || (foreign && selfClosing)) {
        onEnd?.();
        return;
      }
      rawText = '';
      spelledInRaw = 0;
      const isHidden = (outer?.hidden ?? false) || hides(name, attributes);
      if (!stack.push({ name, attributes, hidden: isHidden, foreign, onEnd })) reached('depth');
    },
    close(name) {
      if (name === 'br') breakLine();
      if (name === 'form') forms.closeForm();
      stack.close(name);
      if (BLOCKS.has(name)) breakLine();
    },
    text(text, spelledLetters) {
      spelled += spelledLetters;
      const top = stack.top;
      if (top !== undefined && RAW_TEXT.has(top.name) && !top.foreign) {
        rawText += text;
        spelledInRaw += spelledLetters;
        if (top.name !== 'xmp' && top.name !== 'plaintext') return;
      }
      if (top !== undefined && SILENT.has(top.name)) return;
      const shown = replaceNuls(text, '');
      for (const entry of captures) if (entry.text.length < 1000) entry.text += shown.slice(0, 1000);
      if (origin() === 'noscript') return;
      (top?.hidden || origin() === 'template' ? hidden : visible).add(shown);
      before = (before + shown.slice(-TEXT_BEFORE_FIELD)).slice(-TEXT_BEFORE_FIELD);
    },
    comment(text) {
      const comment = oneLine(text, 300);
      if (comment === '') return;
      if (comments.length >= limits.comments) reached('items');
      else comments.push(comment);
    },
    inForeignContent: () => stack.top !== undefined && isForeignInside(stack.top),
    attributesDropped: () => reached('attributes'),
    outOfTime() {
      const isOver = outOfTime();
      if (isOver) reached('time');
      return isOver;
    },
    finish() {
      stack.closeAll();
      if (visible.isFull) reached('text');
      const named = base === null ? null : resolveUrl(base, page.url);
      const baseUrl = named !== null && /^https?:/.test(named) ? named : page.url;
      const { counts, canonical, ...found } = assets.finish(baseUrl);
      return {
        ...page,
        limits: [...reachedLimits].sort(),
        language,
        title,
        base,
        baseUrl,
        meta: canonical === null ? { ...meta } : { ...meta, canonical },
        headings,
        visibleText: visible.finish(),
        hiddenText: hidden.finish(),
        comments,
        forms: forms.finish(baseUrl, page.url),
        ...found,
        scripts: scripts.finish(),
        counts: {
          ...counts,
          elements,
          fields: forms.fieldCount,
          spelledLetters: spelled,
          spelledTitleLetters: spelledInTitle,
        },
      };
    },
  };

  function breakLine(): void {
    visible.breakLine();
    hidden.breakLine();
    for (const entry of captures) entry.text += ' ';
  }

  return builder;
}

function isForeignInside(element: OpenElement): boolean {
  return element.foreign && !HTML_INSIDE_FOREIGN.has(element.name);
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
