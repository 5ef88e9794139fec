import type { PageDocument } from '#src/network/html/document.ts';
import { brandNamesOf } from './brand-names.ts';
import type { Place, See } from './brand-place.ts';
import { fileNameOf } from './file-name.ts';
import type { PageView } from './page-view.ts';

const COPYRIGHT = /©|\(c\)|copyright/gi;
/** How far from the mark its owner is looked for, on the same line. */
const BEFORE_COPYRIGHT = 40;
const AFTER_COPYRIGHT = 100;

/** Tells `see` of every brand that the words of a page name, place by place. */
export function seeNames(view: PageView, see: See): void {
  const { document } = view;
  const names = brandNamesOf(view.brands);
  const read = (place: Place, text: string, share = 1) => {
    for (const { brand, weight } of names.find(text)) see(brand, place, weight * share);
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

/** A long title is a headline, which names whom it is about. */
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

/** What the files beside the page are called, where kits keep a brand's pictures and styles under its name. */
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

/** The first pictures of a page are where its logo is, whatever it is called. */
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
