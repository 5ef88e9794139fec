import { linksInText } from '#src/message/links-in-text.ts';
import type { MessageLink } from '#src/message/message-link.ts';
import { defang } from '#src/url/defang.ts';
import { requestAbout } from '../api/api.ts';
import { type Child, html, replaceChildren } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { foreign } from '../elements/foreign.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import type { CheckDraft } from './check-draft.ts';
import { minutesFor } from './check-kind.ts';
import { fileChoice } from './file-choice.ts';
import { foundLinks } from './found-links.ts';
import type { Given, IntakeProblem } from './intake.ts';
import { linkBox } from './link-box.ts';
import { visibilityChoice } from './visibility-choice.ts';
import { visitChoice } from './visit-choice.ts';

/** Links of one go; more are a job for the command line. */
const MAX_LINKS = 200;

/** The box, the switch and the button. */
export interface CheckForm {
  readonly element: HTMLFormElement;
  readonly box: HTMLTextAreaElement;
  /** Shows the draft after it was changed from outside. */
  refresh(): void;
  /** Reads what was dropped somewhere on the page. */
  take(given: Given): void;
  setRunning(isRunning: boolean): void;
}

/** Builds the form; `submit` is given the links once they are read. */
export function checkForm(
  draft: CheckDraft,
  locale: Locale,
  settings: PageSettings,
  submit: (links: readonly MessageLink[]) => void,
): CheckForm {
  const { say } = locale;
  let allowed: Promise<number | null> | null = null;
  const box = linkBox(draft, say, {
    changed: refresh,
    reading: () => replaceChildren(reading, html('p', { role: 'status' }, say('check.reading'))),
    failed: () => complain(say('refusal.unreachable')),
    submit: () => element.requestSubmit(),
  });
  const button = html('button', { type: 'submit', class: 'primary' });
  const reading = html('div', { id: 'reading', class: 'reading' });
  const element = html(
    'form',
    {
      class: 'check-form',
      novalidate: true,
      submit: (event) => {
        event.preventDefault();
        void accept();
      },
    },
    html('label', { for: 'link', class: 'box-label' }, say('check.box')),
    html('div', { class: 'box-row' }, box.element, button),
    reading,
    fileChoice(say, (files) => box.take({ html: '', text: '', files })),
    visitChoice(draft, say, settings),
    visibilityChoice(draft, say, settings),
  );

  function refresh(problems: readonly IntakeProblem[] = []): void {
    box.refresh();
    const { links, linesWithout } = linksInText(draft.text);
    const count = Math.min(Math.max(links.length, 1), MAX_LINKS);
    button.textContent = count === 1 ? say('check.submit') : say.count('check.submit', count);
    box.element.removeAttribute('aria-invalid');
    replaceChildren(
      reading,
      preview(links),
      links.length > 0 && linesWithout.length > 0 && html('p', {}, say.count('check.leftOut', linesWithout.length)),
      problems.map((one) => problemLine(one, locale)),
    );
  }

  function preview(links: readonly MessageLink[]) {
    const shown = links.slice(0, MAX_LINKS).map(toldLink);
    const isPlain = shown.every(({ url, words }) => url === draft.text.trim() && words === null);
    if (isPlain) return null;
    const limit = locale.format.number(MAX_LINKS);
    return [
      foundLinks(shown, locale),
      links.length > MAX_LINKS && html('p', {}, say('check.tooMany', { limit })),
      shown.length > 1 && forecast(shown.length),
    ];
  }

  /** How long so many links take at the limit, filled in once the service has told it; nothing where it does not matter. */
  function forecast(links: number): HTMLElement {
    const place = html('p', { class: 'forecast' });
    allowed ??= requestAbout().then(
      ({ checks_per_minute: limit }) => limit,
      () => null,
    );
    void allowed.then((limit) => {
      const minutes = limit === null ? 0 : minutesFor(links, limit);
      if (limit !== null && minutes > 0)
        place.textContent = say.count('check.forecast', minutes, { limit: locale.format.number(limit) });
    });
    return place;
  }

  /** A link of the box with what the message said of it. */
  function toldLink(link: MessageLink): MessageLink {
    return draft.told.get(link.url) ?? link;
  }

  async function accept(): Promise<void> {
    await box.settled();
    if (button.ariaDisabled === 'true') return;
    const { links, linesWithout } = linksInText(draft.text);
    const [unread] = linesWithout;
    if (links.length > 0) submit(links.slice(0, MAX_LINKS).map(toldLink));
    else if (unread === undefined) complain(say('check.empty'));
    else complain(filled(say('check.unreadable'), () => foreign(defang(unread.slice(0, 100)))));
  }

  function complain(said: Child): void {
    replaceChildren(reading, html('p', { class: 'complaint', role: 'alert' }, said));
    box.element.setAttribute('aria-invalid', 'true');
    box.element.focus();
  }

  refresh();
  return {
    element,
    box: box.element,
    refresh,
    take: box.take,
    setRunning(isRunning) {
      button.setAttribute('aria-disabled', String(isRunning));
      box.setChecked(!isRunning);
    },
  };
}

function problemLine({ key, name, text = '' }: IntakeProblem, { say }: Locale): HTMLElement {
  const said = filled(say(key), (gap) => foreign(gap === 'name' ? name : text));
  return html('p', { class: 'complaint', role: 'alert' }, said);
}
