import { cutShort, MAX_CARRIED_LENGTH } from '#src/base/cut-short.ts';
import { traitsOf } from './element-traits.ts';
import { replaceNuls } from './nul.ts';
import { captureText, enter, type OpenPage, originOf, readInner } from './open-page.ts';
import { oneLine } from './text-sink.ts';

type Attributes = ReadonlyMap<string, string>;

/** What an element means for the page as it begins, and by the answer as it ends; null where its end means nothing. */
export type Beginning = (page: OpenPage, attributes: Attributes, name: string) => (() => void) | null;

const atBegin =
  (act: (page: OpenPage, attributes: Attributes, name: string) => void): Beginning =>
  (page, attributes, name) => {
    act(page, attributes, name);
    return null;
  };

const atEnd =
  (act: (page: OpenPage) => void): Beginning =>
  (page) =>
  () =>
    act(page);

/** `act` is told of the text inside the element. */
const withText =
  (act: (page: OpenPage, text: string, attributes: Attributes) => void): Beginning =>
  (page, attributes) =>
    captureText(page, (text) => act(page, text, attributes));

const asField = (tag: 'input' | 'select' | 'textarea'): Beginning =>
  atBegin((page, attributes) => {
    page.forms.addField(tag, attributes, originOf(page), page.textBefore);
    page.textBefore = '';
  });

const image = atBegin(({ assets }, attributes) => assets.addImage(attributes));
const media = atBegin(({ assets }, attributes) => assets.addMedia(attributes));
const frame = atBegin(readFrame);
const heading = withText(addHeading);

/** The elements that mean something; all others are but marks around text. */
export const BEGINNINGS: ReadonlyMap<string, Beginning> = new Map(
  Object.entries({
    html: atBegin((page, attributes) => {
      page.language ??= attributes.get('lang')?.trim().slice(0, 35) || null;
    }),
    base: atBegin((page, attributes) => {
      page.base ??= attributes.get('href') ?? null;
    }),
    meta: atBegin(readMeta),
    title: atEnd(takeTitle),
    a: withText((page, text, attributes) =>
      page.assets.addLink(attributes, oneLine(text, page.limits.labelCharacters)),
    ),
    area: atBegin(({ assets }, attributes) => assets.addLink(attributes, attributes.get('alt') ?? '')),
    // Only its end tag ends a form (HTML standard, "form element pointer"), whatever happens to the elements around it.
    form: atBegin((page, attributes) => page.forms.openForm(attributes, originOf(page))),
    input: asField('input'),
    select: asField('select'),
    textarea: asField('textarea'),
    button: withText((page, text, attributes) => page.forms.addButton(attributes, text, originOf(page))),
    label: (page, attributes) => captureText(page, page.forms.openLabel(attributes)),
    template: beginTemplate,
    noscript: (page) => enter(page, 'noscript'),
    script: beginScript,
    style: atEnd(({ assets, rawText }) => assets.addStyleText(rawText)),
    iframe: frame,
    frame,
    object: frame,
    embed: frame,
    h1: heading,
    h2: heading,
    h3: heading,
    legend: heading,
    img: image,
    image,
    link: atBegin(({ assets }, attributes) => assets.addRelated(attributes)),
    source: media,
    video: media,
    audio: media,
  } satisfies Record<string, Beginning>),
);

function readMeta(page: OpenPage, attributes: Attributes): void {
  const { meta, assets, limits } = page;
  const content = attributes.get('content') ?? '';
  if (attributes.get('http-equiv')?.toLowerCase() === 'refresh') assets.addRefresh(content);
  const name = (attributes.get('name') ?? attributes.get('property') ?? '').toLowerCase().slice(0, 64);
  if (name !== '' && !(name in meta) && Object.keys(meta).length < limits.smallItems) {
    meta[name] = oneLine(content, 500);
  }
}

function takeTitle(page: OpenPage): void {
  const origin = originOf(page);
  if (page.title !== null || (origin !== 'page' && origin !== 'written')) return;
  page.title = cutShort(
    oneLine(replaceNuls(page.rawText, '\ufffd'), page.limits.visibleTextCharacters),
    MAX_CARRIED_LENGTH,
  );
  page.spelled.inTitle = page.spelled.inRawText;
}

function addHeading({ headings, limits }: OpenPage, text: string): void {
  const line = oneLine(text, limits.labelCharacters);
  if (line !== '' && headings.length < limits.smallItems) headings.push(line);
}

function beginTemplate(page: OpenPage, attributes: Attributes): () => void {
  const leaveForms = page.forms.enterScope();
  const leave = enter(page, attributes.has('shadowrootmode') ? 'shadow' : 'template');
  return () => {
    leave();
    leaveForms();
  };
}

function beginScript(page: OpenPage, attributes: Attributes): () => void {
  page.assets.addScript(attributes);
  return () => {
    for (const markup of page.scripts.add(page.rawText, attributes)) readInner(page, markup, 'written');
  };
}

/** Stands for the root of a page within the page; no tag can have this name. */
const INNER_PAGE = '#page';

function readFrame(page: OpenPage, attributes: Attributes, name: string): void {
  page.assets.addFrame(name, attributes);
  const markup = attributes.get('srcdoc') ?? htmlOfDataAddress(attributes.get('src') ?? '');
  if (markup === null) return;
  const onEnd = page.forms.enterScope();
  // What the inner page leaves open must end with it.
  page.stack.push({ name: INNER_PAGE, traits: traitsOf(INNER_PAGE), hidden: false, foreign: false, onEnd });
  readInner(page, markup, 'srcdoc');
  page.stack.close(INNER_PAGE);
}

/** The HTML that a `data:` address carries (RFC 2397); null where it is another address, or carries something else. */
function htmlOfDataAddress(address: string): string | null {
  const match = /^\s*data:text\/html((?:;[^;,]{0,40}){0,4}),/i.exec(address.slice(0, 256));
  if (!match) return null;
  const data = address.slice(match[0].length);
  try {
    return /;base64$/i.test(match[1] ?? '')
      ? new TextDecoder().decode(Uint8Array.fromBase64(decodeURIComponent(data).replace(/\s+/g, '')))
      : decodeURIComponent(data);
  } catch {
    return null;
  }
}
