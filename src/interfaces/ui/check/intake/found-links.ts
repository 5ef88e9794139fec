import type { MessageLink } from '#src/engine/message/message-link.ts';
import { type Child, html } from '../../elements/dom.ts';
import { filled } from '../../elements/filled.ts';
import { foreign } from '../../elements/foreign.ts';
import { shownUrl } from '../../elements/shown-url.ts';
import type { Locale } from '../../shell/locale.ts';
import { linkNotes } from '../link-notes.ts';

/** Links that are shown at once; further ones are folded away. */
const SHOWN = 6;

/** The links that will be checked, each with the words behind which it stood; those that contradict their words, and forms, come first. */
export function foundLinks(links: readonly MessageLink[], { say }: Locale): Child {
  const ordered = links.toSorted((a, b) => Number(isTelling(b)) - Number(isTelling(a)));
  const folded = ordered.slice(SHOWN);
  return [
    html('p', {}, say('check.will')),
    html('ul', {}, ordered.slice(0, SHOWN).map(line)),
    folded.length > 0 && fold(folded),
  ];

  /** Builds its lines when first opened: there may be thousands. */
  function fold(rest: readonly MessageLink[]): HTMLElement {
    const list = html('ul', {});
    const open = () => {
      if (list.childElementCount === 0) list.append(...rest.map(line));
    };
    return html('details', { toggle: open }, html('summary', {}, say.count('check.will.more', rest.length)), list);
  }

  function line(link: MessageLink): HTMLElement {
    const { url, words, mismatch, detour } = link;
    return html(
      'li',
      {},
      shownUrl(url),
      words !== null &&
        mismatch === null &&
        detour === undefined &&
        html(
          'span',
          { class: 'note' },
          filled(say('check.behind'), () => foreign(words)),
        ),
      linkNotes(link, say),
    );
  }
}

const isTelling = ({ mismatch, role }: MessageLink): boolean => mismatch !== null || role !== undefined;
