import { MAX_CAPTURED_LENGTH, truncateText } from '#src/core/base/text/truncate-text.ts';
import { htmlOfDataAddress } from './addresses.ts';
import { frameSource } from './asset-collector.ts';
import { createScope } from './document-scope.ts';
import type { FieldPlace } from './form-collector.ts';
import { WORK } from './limits.ts';
import { emptyTree } from './open-form.ts';
import {
  captureText,
  enter,
  isInert,
  type OpenPage,
  originOf,
  readInner,
  readWithin,
  readWritten,
  TEXT_BEFORE_FIELD,
} from './open-page.ts';
import { masksText } from './styles/hiding.ts';
import { oneLine, replaceNuls } from './text-sink.ts';

type Attributes = ReadonlyMap<string, string>;

/** Handles the beginning of an element, and returns a handler for its end; null if its end has no effect. */
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

/** Calls `act` with the text inside the element. */
const withText =
  (act: (page: OpenPage, text: string, attributes: Attributes) => void): Beginning =>
  (page, attributes) =>
    captureText(page, (text) => act(page, text, attributes));

const asField = (tag: 'input' | 'select' | 'textarea'): Beginning =>
  atBegin((page, attributes) => addField(page, tag, withMask(page, tag, attributes)));

function addField(page: OpenPage, tag: 'input' | 'select' | 'textarea', attributes: Attributes): void {
  page.forms.addField(tag, attributes, fieldPlace(page), page.textBefore.slice(-TEXT_BEFORE_FIELD));
  if (!page.stack.top?.isStyled) page.shownFields += 1;
  page.textBefore = '';
}

/** Returns the attributes with the mask of a style sheet as an inline style. */
function withMask({ styles }: OpenPage, name: string, attributes: Attributes): Attributes {
  if (!styles.masks(name, attributes)) return attributes;
  return new Map([...attributes, ['style', `${attributes.get('style') ?? ''};-webkit-text-security:disc`]]);
}

/** Takes an element whose content a visitor can edit for a field, if what is typed is masked as in a password field. */
export function readEditable(page: OpenPage, attributes: Attributes, name: string): void {
  const editable = attributes.get('contenteditable');
  if (editable === undefined || /^\s*false\s*$/i.test(editable)) return;
  const masked = withMask(page, name, attributes);
  if (masksText(masked.get('style') ?? '')) addField(page, 'textarea', masked);
}

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
    base: atBegin(({ place: { scope, origin } }, attributes) => {
      const href = attributes.get('href');
      if (href !== undefined && (origin === 'page' || origin === 'written' || origin === 'srcdoc'))
        scope.addBase(href, origin);
    }),
    meta: atBegin(readMeta),
    title: atEnd(takeTitle),
    a: withText((page, text, attributes) =>
      page.assets.addLink(attributes, oneLine(text, page.limits.labelCharacters)),
    ),
    area: atBegin(({ assets }, attributes) => assets.addLink(attributes, attributes.get('alt') ?? '')),
    input: asField('input'),
    select: asField('select'),
    textarea: asField('textarea'),
    button: withText((page, text, attributes) => page.forms.addButton(attributes, text, fieldPlace(page))),
    label: (page, attributes) => captureText(page, page.forms.openLabel(attributes)),
    template: beginTemplate,
    noscript: beginNoscript,
    script: beginScript,
    style: (page, attributes) => () => {
      page.assets.addStyleText(page.rawText);
      if (originOf(page) === 'page') page.styles.add(page.rawText, attributes);
    },
    iframe: frame,
    frame,
    frameset: atBegin(beginFrameset),
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

function fieldPlace({ place, stack }: OpenPage): FieldPlace {
  return { ...place, around: stack.top?.form ?? null, isHidden: stack.top?.hidden ?? false };
}

function readMeta(page: OpenPage, attributes: Attributes): void {
  const { meta, assets, limits, place } = page;
  const content = attributes.get('content') ?? '';
  const pragma = attributes.get('http-equiv')?.toLowerCase();
  if (pragma === 'refresh') assets.addRefresh(content, place);
  if (isInert(page)) return;
  if (pragma === 'content-security-policy' && place.origin !== 'written' && !place.scope.isInBody)
    place.scope.addPolicies(content);
  const name = (attributes.get('name') ?? attributes.get('property') ?? '').toLowerCase().slice(0, 64);
  if (name !== '' && !(name in meta) && Object.keys(meta).length < limits.smallItems) {
    meta[name] = oneLine(content, 500);
  }
}

function takeTitle(page: OpenPage): void {
  const origin = originOf(page);
  const isKnown = (origin === 'page' ? page.title : page.writtenTitle) !== null;
  if (isKnown || (origin !== 'page' && origin !== 'written')) return;
  const title = truncateText(
    oneLine(replaceNuls(page.rawText, '\ufffd'), page.limits.visibleTextCharacters),
    MAX_CAPTURED_LENGTH,
  );
  if (origin === 'page') page.title = title;
  else page.writtenTitle = title;
  if (origin === 'page' || page.title === null) page.spelled.inTitle = page.spelled.inRawText;
}

function addHeading(page: OpenPage, text: string): void {
  const { headings, limits } = page;
  const line = oneLine(text, limits.labelCharacters);
  if (line !== '' && headings.length < limits.smallItems && !isInert(page)) headings.push(line);
}

function beginTemplate(page: OpenPage, attributes: Attributes): () => void {
  const isShadow = /^(?:open|closed)$/i.test(attributes.get('shadowrootmode') ?? '') && !isInert(page);
  return enter(page, { origin: isShadow ? 'shadow' : 'template', tree: emptyTree() });
}

/** With script, a browser treats the content as text, regardless of nesting: it is read apart from the page. */
function beginNoscript(page: OpenPage): (() => void) | null {
  if (originOf(page) === 'noscript') return null;
  if (page.isXml) return enter(page, { origin: 'noscript', tree: emptyTree() });
  return () => readWithin(page, page.rawText, { origin: 'noscript', tree: emptyTree() });
}

/** Frames replace a page that has shown nothing yet; the following content is not shown. */
function beginFrameset(page: OpenPage): void {
  const { scope, origin } = page.place;
  if (!scope.isBodyStored && (origin === 'page' || origin === 'srcdoc')) enter(page, { origin: 'template' });
}

function beginScript(page: OpenPage, attributes: Attributes): () => void {
  page.assets.addScript(attributes);
  return () => {
    const { written, characters } = page.scripts.add(page.rawText, attributes);
    page.work += WORK.scriptCharacter * characters;
    readWritten(page, written);
  };
}

const JAVASCRIPT_ADDRESS = /^\s{0,20}javascript:/i;

function readFrame(page: OpenPage, attributes: Attributes, name: string): void {
  const carried = name === 'iframe' ? attributes.get('srcdoc') : undefined;
  const source = frameSource(name, attributes);
  const markup = carried ?? htmlOfDataAddress(source);
  const written = JAVASCRIPT_ADDRESS.test(source) ? page.scripts.readAddress(source) : [];
  // The content of a `frameset` is visible; everything else after it is not.
  const isHidden = name === 'frame' ? originOf(page) === 'noscript' : isInert(page);
  const inline = markup !== null || written.length > 0 || PICTURE.test(source);
  page.assets.addFrame(name, attributes, { isInert: isHidden, inline });
  readWritten(page, written);
  if (markup === null) return;
  const { scope: outer } = page.place;
  const sandbox = name === 'iframe' ? attributes.get('sandbox') : undefined;
  const allows = (what: string) => sandbox === undefined || sandbox.toLowerCase().split(/\s+/).includes(what);
  const scope = createScope({
    url: null,
    fallbackUrl: () => (carried === undefined ? null : outer.baseUrl),
    policies: outer.policies,
    allowsForms: outer.allowsForms && allows('allow-forms'),
    frame: isHidden || !allows('allow-scripts') ? null : { tag: name, attributes },
  });
  readInner(page, markup, { origin: isHidden ? originOf(page) : 'srcdoc', scope, tree: emptyTree() });
}

/** A picture in its own address, as of an `object`; drawings may hold scripts. */
const PICTURE = /^\s*data:image\/(?!svg)/i;
