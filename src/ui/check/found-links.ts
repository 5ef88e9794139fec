import type { MessageLink } from '#src/message/message-link.ts';
import { type Child, html } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { foreign } from '../elements/foreign.ts';
import { mismatchLine } from '../elements/mismatch-line.ts';
import { shownUrl } from '../elements/shown-url.ts';
import type { Locale } from '../shell/locale.ts';

/** Links that are shown at once; further ones are folded away. */
const SHOWN = 6;

/** The links that will be checked, each with the words behind which it stood; those that contradict their words come first. */
export function foundLinks(links: readonly MessageLink[], { say }: Locale): Child {
  const lines = links.toSorted((a, b) => Number(b.mismatch !== null) - Number(a.mismatch !== null)).map(line);
  const folded = lines.splice(SHOWN);
  return [
    html('p', {}, say('check.will')),
    html('ul', {}, lines),
    folded.length > 0 &&
      html('details', {}, html('summary', {}, say.count('check.will.more', folded.length)), html('ul', {}, folded)),
  ];

  function line({ url, words, mismatch }: MessageLink): HTMLElement {
    return html(
      'li',
      {},
      shownUrl(url),
      words !== null &&
        mismatch === null &&
        html(
          'span',
          { class: 'note' },
          filled(say('check.behind'), () => foreign(words)),
        ),
      mismatch && mismatchLine(mismatch, say, 'check.mismatch'),
    );
  }
}
