import { defang } from '#src/core/url/defang.ts';
import { copyText } from '../elements/clipboard.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import { literal } from '../elements/literal.ts';
import { actLater } from '../elements/loaded-later.ts';
import { type MenuChoice, menu } from '../elements/menu.ts';
import type { Locale } from '../shell/locale.ts';
import { hrefOfResult } from '../shell/route.ts';
import type { ShownResult } from './verdict-state.ts';

/** Builds the actions on a result: the usual ones as buttons, the rest in a menu; `section` loads the content of the report. */
export function actions(
  shown: ShownResult,
  section: () => Promise<HTMLElement>,
  locale: Locale,
  again: () => void,
): HTMLElement {
  const { say } = locale;
  const { result, signature } = shown;
  const said = html('p', { class: 'actions-said', role: 'status' });
  const harmless = defang(result.analysis_details.normalized_url);

  async function copy(text: string, means = ''): Promise<void> {
    const copied = await copyText(text);
    replaceChildren(
      said,
      copied ? `${say('result.copied')} ${means}`.trim() : [say('result.copyFailed'), ' ', literal(text, 'mono')],
    );
  }

  async function copyLink(signature: string): Promise<void> {
    const { packShown } = await import('./result-link.ts');
    const packed = await packShown(shown, signature);
    if (packed === null) replaceChildren(said, say('linked.tooLong'));
    else
      await copy(
        `${location.origin}${location.pathname}${hrefOfResult(packed, shown.isPrivate === false)}`,
        say('linked.means'),
      );
  }

  async function save(): Promise<void> {
    const { saveReport } = await import('./report.ts');
    saveReport(await section(), result, locale);
  }

  async function copyTicket(): Promise<void> {
    await copy((await import('./summary.ts')).ticketText(shown, locale));
  }

  async function copyJson(): Promise<void> {
    await copy((await import('./raw-json.ts')).rawJson(result));
  }

  async function copyMarkdown(): Promise<void> {
    await copy((await import('./summary.ts')).markdownText(shown, locale));
  }

  async function printAll(): Promise<void> {
    const whole = await section();
    document.documentElement.classList.add('print-all');
    const folded = [...whole.querySelectorAll<HTMLDetailsElement>(':is(.panel, .analysts):not([open])')];
    for (const panel of folded) panel.open = true;
    print();
    document.documentElement.classList.remove('print-all');
    for (const panel of folded) panel.open = false;
  }

  const later = (act: () => Promise<void>) => actLater(act, said, say);
  const copyDefanged: MenuChoice = [say('result.copy'), () => void copy(harmless)];
  const button = ([text, act]: MenuChoice) => html('button', { type: 'button', click: act }, text);
  return html(
    'div',
    { class: 'actions' },
    button(signature === null ? copyDefanged : [say('linked.copy'), later(() => copyLink(signature))]),
    button([say('result.again'), again]),
    menu(say('result.more'), [
      ...(signature === null ? [] : [copyDefanged]),
      [say('result.ticket'), later(copyTicket)],
      [say('result.markdown'), later(copyMarkdown)],
      [say('raw.copy'), later(copyJson)],
      [say('result.save'), later(save)],
      [say('result.print'), () => print()],
      [say('result.printAll'), later(printAll)],
    ]),
    said,
    // Only the private log may contain anything about a private check.
    shown.isPrivate === false && feedbackBox(result.request_id, locale),
  );
}

/** Creates a discreet place for a report of a wrong verdict; its form comes from the service when it is first opened. */
function feedbackBox(requestId: string, locale: Locale): HTMLElement {
  const { say } = locale;
  const summary = html('summary', {}, say('feedback.open'));
  const fill = async () => {
    if (box.childElementCount > 1) return;
    const form = await import('./feedback-form.ts').catch(() => null);
    replaceChildren(box, summary, form?.feedbackForm(requestId, locale) ?? say('refusal.unreachable'));
  };
  const box = html('details', { class: 'feedback', toggle: () => void fill() }, summary);
  return box;
}
