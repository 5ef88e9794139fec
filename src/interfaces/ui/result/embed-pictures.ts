import { html } from '../elements/dom.ts';

const IMAGES = '.screenshot img';
const QUALITY = 0.8;

/** Copies the pictures of a result into a copy of it, so that it needs no network; one without pixels is left out. */
export function embedPictures(from: HTMLElement, copy: HTMLElement): void {
  const images = from.querySelectorAll<HTMLImageElement>(IMAGES);
  for (const [at, copied] of [...copy.querySelectorAll<HTMLImageElement>(IMAGES)].entries()) {
    const image = images[at];
    if (!image?.naturalWidth) {
      copied.closest('.screenshot')?.remove();
      continue;
    }
    const canvas = html('canvas', { width: image.naturalWidth, height: image.naturalHeight });
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    copied.setAttribute('src', canvas.toDataURL('image/jpeg', QUALITY));
  }
}
