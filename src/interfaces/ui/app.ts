import { LANGUAGES } from '#src/core/languages/languages.ts';
import { restoreBatch } from './check/batch/kept-batch.ts';
import { NOTHING_BESIDE } from './check/check-draft.ts';
import type { CheckState } from './check/check-state.ts';
import { type CheckView, checkView, isResultEntry } from './check/check-view.ts';
import { type Given, givenBy } from './check/intake/given.ts';
import { chosenPrivate } from './check/visibility-choice.ts';
import { html, replaceChildren } from './elements/dom.ts';
import { later, loadView } from './shell/load-view.ts';
import { currentLanguage, loadLocale } from './shell/locale.ts';
import { readPageSettings } from './shell/page-settings.ts';
import { hrefOf, type Route, readRoute } from './shell/route.ts';
import { currentTheme, shell, showTheme } from './shell/shell.ts';

const settings = readPageSettings();
const state: CheckState = {
  draft: {
    text: '',
    isPrivate: chosenPrivate() ?? settings.isPrivateByDefault,
    privateHosts: new Set(),
    keepsPrivate: false,
    visit: true,
    isMailSent: true,
    messageLinks: new Map(),
    beside: NOTHING_BESIDE,
  },
  checks: [],
  openCheck: null,
  unread: [],
  checkedText: null,
  mail: null,
  recent: [],
};
restoreBatch(state);
let check: CheckView | null = null;
let leaving = new AbortController();
let builds = 0;

/** Builds the page again, for example after a change of the language; input and answers stay. */
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
      check?.fillWith(route.link, route.isPrivate);
      // Remove the link from the address bar, so that the browser's history does not store it.
      history.replaceState(null, '', '#/');
    }
    if (route.batch !== undefined) void check?.takeBatch(route.batch);
    if (route.isTooLong) check?.complain('share.tooLong');
    if (route.batch !== undefined || route.isTooLong) history.replaceState(null, '', '#/');
    leaving.abort();
    leaving = new AbortController();
    markRoute(route.name);
    showTitle();
    replaceChildren(main, viewOf(route, isFirst));
    if (route.name === 'check') check?.focus();
    if (!isFirst) scrollTo(0, 0);
  };
  const recheck = (url: string, isPrivate: boolean) => {
    history.pushState(null, '', hrefOf('check'));
    show(false);
    check?.check(url, isPrivate);
  };
  const viewOf = (route: Route, isFirst: boolean) => {
    if (route.name === 'check') return check?.element;
    const { signal } = leaving;
    return later(() => loadView(route, { locale, settings, recheck }, signal), !isFirst, locale.say, signal);
  };
  /** The title of a tab shows its verdict, but no link: the browser stores titles in its history. */
  function showTitle(): void {
    const { name } = readRoute(location.hash);
    const gist = name === 'check' ? (check?.gist() ?? '') : locale.say(`route.${name}`);
    document.title = gist === '' ? 'lurecheck' : `${gist} – lurecheck`;
  }

  window.onhashchange = () => show(false);
  show(true);
}

/** Scrolls to the text box, once it exists, and fills it with the given content. */
async function begin(given: Given): Promise<void> {
  await built;
  if (readRoute(location.hash).name !== 'check') location.hash = hrefOf('check');
  check?.take(given);
}

/** Returns true if what is typed or pasted there is meant for that place. */
function isForTyping(target: EventTarget | null): boolean {
  const keeps = 'textarea, select, input:not([type="radio"], [type="checkbox"], [type="file"])';
  return target instanceof Element && target.matches(keeps);
}

// Going back from a result means to check the next link.
window.onpopstate = ({ state }) => {
  if (!isResultEntry(state) && readRoute(location.hash).name === 'check') check?.focus(true);
};
window.onkeydown = (event) => {
  const { key, target } = event;
  if (key === 'Escape') check?.stop();
  if (key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isForTyping(target)) return;
  event.preventDefault();
  if (readRoute(location.hash).name === 'check') check?.focus(true);
  else location.hash = hrefOf('check');
};
document.onpaste = (event) => {
  if (isForTyping(event.target) || readRoute(location.hash).name === 'console') return;
  event.preventDefault();
  void begin(givenBy(event.clipboardData));
};
// Read dropped files here; the browser would navigate to them. Both events are needed: of an element that was entered
// just before the drop, the browser knows the answer to `dragenter` alone.
window.ondragenter = window.ondragover = (event: DragEvent) => {
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
