import type { MessageLink } from '#src/engine/message/message-link.ts';
import type { NonWebTarget } from '#src/engine/message/non-web-target.ts';
import type { TextReading } from '#src/engine/message/text/links-in-text.ts';
import { ownLimit } from '../../api/own-limit.ts';
import { type Child, html, replaceChildren } from '../../elements/dom.ts';
import { filled } from '../../elements/filled.ts';
import { decisionIcon } from '../../elements/icons.ts';
import { foreign } from '../../elements/literal.ts';
import { shownUrl } from '../../elements/shown-url.ts';
import { isWholeMail, type OpenedMail } from '../../mail/opened-mail.ts';
import type { Locale } from '../../shell/locale.ts';
import type { CheckDraft } from '../check-draft.ts';
import { minutesFor } from '../check-kind.ts';
import { linkNotes } from '../check-line.ts';
import { lookOfTarget } from './non-web-words.ts';
import { nonWebLine, unreadLine } from './unchecked-lines.ts';

/** Links that are shown at once; further ones are folded away. */
const MOST_SHOWN = 6;

/** The links that will be checked, each with the words behind which it stood; those that contradict their words, and forms, come first. */
function foundLinks(links: readonly MessageLink[], { say }: Locale): Child {
  const ordered = links.toSorted((a, b) => Number(isTelling(b)) - Number(isTelling(a)));
  const folded = ordered.slice(MOST_SHOWN);
  return [
    html('p', {}, say('check.will')),
    html('ul', {}, ordered.slice(0, MOST_SHOWN).map(line)),
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

/** Builds the lines below the text box about its content, which are empty if the text box shows everything. */
export function readingArea(draft: CheckDraft, locale: Locale) {
  const { say } = locale;
  const element = html('div', { id: 'reading', class: 'reading' });
  let choice: Child = null;
  return {
    element,
    /** Says that something is being read. */
    showBusy: () => replaceChildren(element, html('p', { role: 'status' }, say('check.reading'))),
    /** Shows what will be checked. */
    show({ links, linesWithout }: TextReading) {
      const opened = draft.beside.mail;
      const mail = opened && isWholeMail(opened, links) ? opened : null;
      const targets = html('div', {});
      const showTargets = () => {
        const isSent = draft.isMailSent && mail?.source != null;
        replaceChildren(targets, foundTargets(draft.beside.nonWeb, isSent, locale));
      };
      showTargets();
      choice = mail && mailChoice(mail, draft, locale, showTargets);
      replaceChildren(
        element,
        preview(links, draft, locale),
        links.length > 0 && linesWithout.length > 0 && html('p', {}, say.count('check.leftOut', linesWithout.length)),
        targets,
        choice,
        draft.beside.problems.map((one) => unreadLine(one, locale, 'alert')),
      );
    },
    // The choice may be why there is nothing to check.
    complain: (said: Child) => replaceChildren(element, html('p', { class: 'complaint', role: 'alert' }, said), choice),
  };
}

function preview(links: readonly MessageLink[], draft: CheckDraft, locale: Locale) {
  const shown = links.map((link) => withWords(link, draft));
  const isPlain = shown.every(({ url, words, role }) => url === draft.text.trim() && words === null && !role);
  return isPlain ? null : [foundLinks(shown, locale), shown.length > 1 && forecast(shown.length, locale)];
}

/** Returns a link of the text box with the words of the message around it. */
export function withWords(link: MessageLink, { messageLinks }: CheckDraft): MessageLink {
  return messageLinks.get(link.url) ?? link;
}

/** Shows how long so many links take at the limit, once the service has reported it; empty if it does not matter. */
function forecast(links: number, { say, format }: Locale): HTMLElement {
  const place = html('p', { class: 'forecast' });
  void ownLimit().then((limit) => {
    const minutes = limit === null ? 0 : minutesFor(links, limit);
    if (limit !== null && minutes > 0)
      place.textContent = say.count('check.forecast', minutes, { limit: format.number(limit) });
  });
  return place;
}

/** Says if a mail is sent as a whole, which the reader can forbid; `changed` is called with each choice. */
function mailChoice({ source }: OpenedMail, draft: CheckDraft, { say }: Locale, changed: () => void): HTMLElement {
  if (source === null) return html('p', { class: 'visit' }, say('mail.tooLarge'));
  const box = html('input', {
    type: 'checkbox',
    checked: !draft.isMailSent,
    'aria-describedby': 'mail-sent',
    change: () => {
      draft.isMailSent = !box.checked;
      changed();
    },
  });
  return html(
    'p',
    { class: 'visit' },
    html('span', { id: 'mail-sent' }, say('mail.sent')),
    ' ',
    html('label', {}, box, ' ', say('mail.sent.off')),
  );
}

/** Findings that are shown at once; further ones are folded away. */
const SHOWN = 4;

/**
 * Returns the parts of a message that are no web address, for the time before the check; nothing if all are. `isSent` if
 * their message is sent as a whole.
 */
function foundTargets(targets: readonly NonWebTarget[], isSent: boolean, { say }: Locale): Child {
  const lines = targets.map((target) => {
    const look = lookOfTarget(target);
    return html('li', { class: `found-target ${look}` }, decisionIcon(look), nonWebLine(target, say));
  });
  const folded = lines.splice(SHOWN);
  if (lines.length === 0) return null;
  return [
    html('p', {}, say(isSent ? 'target.will.mail' : 'target.will')),
    html('ul', {}, lines),
    folded.length > 0 &&
      html('details', {}, html('summary', {}, say.count('check.will.more', folded.length)), html('ul', {}, folded)),
  ];
}
