import type { CheckResult } from '#src/checks/record/check-result.ts';
import { type Child, html, svg } from '../elements/dom.ts';
import type { Locale } from '../shell/locale.ts';
import { hostIn } from './destination.ts';
import { redirectsPanel } from './panels/redirects-panel.ts';

/** Shows the way to the page, and its picture. */
export function wayAndPicture(result: CheckResult, locale: Locale): Child {
  return [redirectsPanel(result.analysis_details, locale), screenshot(result, locale)];
}

/**
 * Shows the picture of the page, framed as one of an untrusted page, with the fields outlined, and beside it the own page that
 * it looks like; null without one. A picture that is gone is left out.
 */
function screenshot(
  { request_id: id, analysis_details: { render, final_url } }: CheckResult,
  { say }: Locale,
): HTMLElement | null {
  const picture = render?.screenshot ?? null;
  if (picture === null) return null;
  const { width, height, url, fields = [], own_picture: own } = picture;
  const shown = (caption: string, src: string, alt: string, outlines?: Element) => {
    const image = html('img', { src, width, height, alt, error: () => figure.remove() });
    const figure = html('figure', { class: 'screenshot' }, html('figcaption', {}, caption), image, outlines);
    return figure;
  };
  const alt = say('screenshot.alt', { host: hostIn(render?.final_url ?? final_url ?? '') });
  // The picture stays as it was taken: what is outlined comes from the answer, and nothing of it is of the page.
  const outlines = svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    svg('path', { d: fields.map(([x, y, w, h]) => `M${x} ${y}h${w}v${h}h-${w}z`).join('') }),
  );
  const ownPage = say('screenshot.own');
  return html(
    'div',
    { class: 'screenshots' },
    shown(say('screenshot.caption'), url ?? `api/screenshots/${id}`, alt, outlines),
    own && shown(ownPage, `api/screenshots/${own}`, ownPage),
  );
}
