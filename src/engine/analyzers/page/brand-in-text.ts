import type { PageDocument } from '#src/network/html/document.ts';
import { brandNamesOf } from './brand-names.ts';
import type { NoteBrand, Place } from './brand-place.ts';
import { fileNameOf } from './file-name.ts';
import type { PageView } from './page-view.ts';

const COPYRIGHT = /©|\(c\)|copyright/gi;
/** Characters before and after the mark in which its owner is searched, on the same line. */
const BEFORE_COPYRIGHT = 40;
const AFTER_COPYRIGHT = 100;

/** Passes to `note` every brand that the text of a page names, by place. */
export function noteNames(view: PageView, note: NoteBrand): void {
  const { document } = view;
  const names = brandNamesOf(view.brands);
  const read = (place: Place, text: string, share = 1) => {
    for (const { brand, weight } of names.find(text)) note(brand, place, weight * share);
  };
  read('the title', document.title ?? '', titleShare(document.title ?? ''));
  read('the site name in its metadata', NAME_KEYS.map((key) => document.meta[key] ?? '').join(' | '));
  read('its description', DESCRIPTION_KEYS.map((key) => document.meta[key] ?? '').join(' | '));
  if (view.asksToLogIn) read('its file names', localFileNames(view));
  for (const line of copyrightLines(document)) read('the copyright line', line);
  for (const heading of document.headings.slice(0, 6)) read('a heading', heading, titleShare(heading));
  for (const text of logoTexts(document)) read('a logo', text);
  for (const form of view.forms) {
    read('the form', [...form.fields.map((field) => field.label), ...form.buttonTexts].join(' | '));
  }
  read('the text', document.visibleText.slice(0, 2000), view.asksToLogIn ? 1.5 : 1);
}

/** Returns the weight of a title by its length; a long one is a headline, which names its subject. */
function titleShare(title: string): number {
  const words = title.split(/\s+/).length;
  return words <= 8 ? 1 : words <= 12 ? 0.6 : 0.3;
}

const NAME_KEYS = [
  'og:site_name',
  'application-name',
  'apple-mobile-web-app-title',
  'al:ios:app_name',
  'al:android:app_name',
];
const DESCRIPTION_KEYS = ['og:title', 'twitter:title', 'description', 'og:description'];

/** Returns the names of the files beside the page; kits name a brand's pictures and styles after it. */
function localFileNames(view: PageView): string {
  const local = view.document.assets.filter((asset) => asset.url !== null && view.foreignHost(asset.url) === null);
  return local
    .slice(0, 40)
    .map((asset) => (asset.source.split(/[?#]/, 1)[0] ?? '').slice(-80).replace(/[_\d]+/g, ' '))
    .join(' | ');
}

function copyrightLines(document: PageDocument): string[] {
  const text = document.visibleText;
  return [...text.matchAll(COPYRIGHT)].slice(-5).map(({ index }) => {
    const before =
      text
        .slice(Math.max(0, index - BEFORE_COPYRIGHT), index)
        .split('\n')
        .at(-1) ?? '';
    const after = text.slice(index, index + AFTER_COPYRIGHT).split('\n', 1)[0] ?? '';
    return before + after;
  });
}

/** The logo is among the first pictures of a page, whatever its name. */
const FIRST_IMAGES = 2;

function logoTexts(document: PageDocument): string[] {
  const images = document.assets.filter((asset) => asset.kind === 'image' || asset.kind === 'icon');
  return images
    .filter((asset, at) => at < FIRST_IMAGES || /logo|brand|icon/i.test(`${asset.source.slice(-80)} ${asset.alt}`))
    .slice(0, 10)
    .map(
      (asset) =>
        `${asset.alt} | ${fileNameOf(asset.source)
          .slice(0, 60)
          .replace(/logo|icon|brand/gi, ' ')
          .replace(/[_\d]+/g, ' ')}`,
    );
}
