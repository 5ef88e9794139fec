import type { CheckResult } from '#src/checks/record/check-result.ts';
import { html } from '../elements/dom.ts';
import type { Locale } from '../shell/locale.ts';
import { hostIn } from './destination.ts';

/** Shows the picture of the page, framed as one of an untrusted page; null without one. A picture that is gone is left out. */
export function screenshot(
  { request_id: id, analysis_details: { render, final_url } }: CheckResult,
  { say }: Locale,
): HTMLElement | null {
  const picture = render?.screenshot ?? null;
  if (picture === null) return null;
  const { width, height, url } = picture;
  const figure = html(
    'figure',
    { class: 'screenshot' },
    html('figcaption', {}, say('screenshot.caption')),
    html('img', {
      ...{ src: url ?? `api/screenshots/${id}`, width, height, error: () => figure.remove() },
      alt: say('screenshot.alt', { host: hostIn(render?.final_url ?? final_url ?? '') }),
    }),
  );
  return figure;
}

/** Copies the pictures of an element into a copy of it, so that they need no network; without pixels, there is none. */
export function embedPictures(from: HTMLElement, copy: HTMLElement): void {
  const copies = copy.querySelectorAll<HTMLImageElement>('.screenshot img');
  for (const [at, image] of [...from.querySelectorAll<HTMLImageElement>('.screenshot img')].entries()) {
    const pixels = pixelsOf(image);
    if (pixels === null) copies[at]?.closest('figure')?.remove();
    else copies[at]?.setAttribute('src', pixels);
  }
}

const QUALITY = 0.8;

function pixelsOf(image: HTMLImageElement): string | null {
  if (!image.complete || image.naturalWidth === 0) return null;
  const canvas = html('canvas', { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return canvas.toDataURL('image/jpeg', QUALITY);
}
