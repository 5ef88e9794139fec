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

/** Copies the picture of a result into a copy of it, so that it needs no network; without pixels, there is none. */
export function embedPicture(from: HTMLElement, copy: HTMLElement): void {
  const image = from.querySelector<HTMLImageElement>(IMAGE);
  const copied = copy.querySelector<HTMLImageElement>(IMAGE);
  if (!image?.naturalWidth) {
    copied?.parentElement?.remove();
    return;
  }
  const canvas = html('canvas', { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  copied?.setAttribute('src', canvas.toDataURL('image/jpeg', QUALITY));
}

const IMAGE = '.screenshot img';
const QUALITY = 0.8;
