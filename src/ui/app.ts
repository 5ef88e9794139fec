import { type CheckState, type CheckView, checkView } from './check/check-view.ts';
import { type Given, givenBy } from './check/intake.ts';
import { rememberedPrivate } from './check/remembered-visibility.ts';
import { html, replaceChildren } from './elements/dom.ts';
import { historyView } from './history/history-view.ts';
import { overviewView } from './history/overview-view.ts';
import { LANGUAGES } from './languages/known.ts';
import { linkedResult } from './result/linked-result.ts';
import { aboutView } from './shell/about-view.ts';
import { helpView } from './shell/help-view.ts';
import { currentLanguage, loadLocale } from './shell/locale.ts';
import { readPageSettings } from './shell/page-settings.ts';
import { hrefOf, type Route, readRoute } from './shell/route.ts';
import { shell } from './shell/shell.ts';
import { currentTheme, showTheme } from './shell/theme.ts';

const settings = readPageSettings();
const state: CheckState = {
  draft: { text: '', isPrivate: rememberedPrivate() ?? settings.isPrivateByDefault, visit: true, told: new Map() },
  checks: [],
  shown: null,
  recent: [],
};
let check: CheckView | null = null;
let leaving = new AbortController();
let builds = 0;

/** Builds everything anew, as after a change of the language; what was asked and answered stays. */
async function build(): Promise<void> {
  const own = ++builds;
  const locale = await loadLocale(currentLanguage());
  // Another language may have been chosen meanwhile.
  if (own !== builds) return;
  check?.stop();
  document.documentElement.lang = locale.say.tag;
  document.documentElement.dir = LANGUAGES[locale.say.tag].direction;
  check = checkView(state, locale, settings, showTitle);
  const main = html('main', { id: 'main', tabindex: -1 });
  const { element, markRoute } = shell(main, locale, settings, build);
  replaceChildren(document.body, element);
  const show = (isFirst: boolean) => {
    const route = readRoute(location.hash);
    if (route.name === 'check' && route.link !== null) {
      state.draft.text = route.link;
      check?.refresh();
      // The link must not stay in the address bar, from where it would get into the browser's own history.
      history.replaceState(null, '', '#/');
    }
    leaving.abort();
    leaving = new AbortController();
    markRoute(route.name);
    showTitle();
    replaceChildren(main, viewOf(route));
    if (route.name === 'check') check?.focus();
    else if (!isFirst) main.querySelector<HTMLElement>('h1')?.focus();
    if (!isFirst) scrollTo(0, 0);
  };
  const viewOf = ({ name, link, filter }: Route) => {
    if (name === 'result') return linkedResult(link ?? '', locale, settings, leaving.signal);
    if (name === 'history') return historyView(locale, settings, filter, leaving.signal);
    if (name === 'overview') return overviewView(locale, settings, leaving.signal);
    if (name === 'about') return aboutView(locale, leaving.signal);
    return name === 'help' ? helpView(locale) : check?.element;
  };
  /** A tab is told from others by its verdict. No link stands there: the browser keeps titles in its own history. */
  function showTitle(): void {
    const { name } = readRoute(location.hash);
    const gist = name === 'check' ? (check?.gist() ?? '') : locale.say(`route.${name}`);
    document.title = gist === '' ? 'lurecheck' : `${gist} – lurecheck`;
  }

  window.onhashchange = () => show(false);
  show(true);
}

/** Brings the box into view, once it is there, to put into it what was given. */
async function begin(given: Given): Promise<void> {
  await built;
  if (readRoute(location.hash).name !== 'check') location.hash = hrefOf('check');
  check?.take(given);
}

/** Whether what is typed or pasted there is meant for that place. */
function isForTyping(target: EventTarget | null): boolean {
  const keeps = 'textarea, select, input:not([type="radio"], [type="checkbox"], [type="file"])';
  return target instanceof Element && target.matches(keeps);
}

window.onkeydown = (event) => {
  const { key, target } = event;
  if (key === 'Escape') check?.stop();
  if (key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isForTyping(target)) return;
  event.preventDefault();
  if (readRoute(location.hash).name === 'check') check?.focus();
  else location.hash = hrefOf('check');
};
document.onpaste = (event) => {
  if (isForTyping(event.target)) return;
  event.preventDefault();
  void begin(givenBy(event.clipboardData));
};
// Whatever is dropped on the page is read here: the browser would open it.
window.ondragover = (event) => {
  event.preventDefault();
  document.body.classList.add('dragging');
};
window.ondragleave = ({ relatedTarget }) => {
  if (relatedTarget === null) document.body.classList.remove('dragging');
};
window.ondrop = (event) => {
  event.preventDefault();
  document.body.classList.remove('dragging');
  void begin(givenBy(event.dataTransfer));
};
showTheme(currentTheme());
const built = build().catch(() => document.body.append('The page did not come from the service. Load it again.'));
