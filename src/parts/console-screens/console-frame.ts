import { html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import { filled } from '#src/interfaces/ui/elements/filled.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import { hrefOf } from '#src/interfaces/ui/shell/route.ts';
import { type ConsoleApi, createConsoleApi } from '#src/parts/console-elements/api/console-api.ts';
import { signOut } from '#src/parts/console-elements/api/session.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { action } from '#src/parts/console-elements/elements/action.ts';
import { dropDrafts } from '#src/parts/console-elements/elements/inputs.ts';
import { hrefOfScreen, type ScreenName, screenIn } from '#src/parts/console-elements/screen-route.ts';
import { isScreen, SCREENS } from './screens.ts';

/** Dependencies of the frame. */
type FrameParts = Omit<ConsoleParts, 'api' | 'subject' | 'may' | 'note' | 'leave' | 'open' | 'reload'> & {
  /** Address after `#/console/`. */
  readonly path?: string;
};

/** Events of the frame. */
interface FrameEvents {
  readonly expired: Parameters<typeof createConsoleApi>[0];
  /** The reader signed out. */
  readonly ended: () => void;
}

/** The last message, kept if it leads to another screen. */
let carried: readonly ChildNode[] = [];

/** Builds the frame of the screens: the menu, the signed-in user, and the last change. */
export function consoleFrame({ path = '', ...given }: FrameParts, { expired, ended }: FrameEvents): HTMLElement {
  const { tell, session, leaving } = given;
  const { name: typed, subject } = screenIn(path);
  const name = isScreen(typed) ? typed : 'today';
  const screen = html('div', { class: 'screen' });
  const done = html('p', { role: 'status', class: 'done' }, carried);
  carried = [];
  const api: ConsoleApi = createConsoleApi(expired);
  const may = (...scopes: readonly string[]) =>
    session.scopes.includes('admin') || scopes.some((one) => session.scopes.includes(one));
  let shown = new AbortController();
  leaving.addEventListener('abort', () => shown.abort(), { once: true });

  const leave = async () => {
    await signOut();
    dropDrafts();
    ended();
  };

  function show(): HTMLElement {
    shown.abort();
    shown = new AbortController();
    const parts: ConsoleParts = {
      ...given,
      api,
      subject,
      may,
      leaving: shown.signal,
      note: (...said) => replaceChildren(done, ...said),
      open(fragment) {
        carried = [...done.childNodes];
        location.hash = fragment;
      },
      leave,
      // The button that was pressed is gone.
      reload: () => show().focus(),
    };
    const { scopes, build } = SCREENS[name];
    const isOpen = may(...scopes);
    const title = html('h1', { tabindex: -1 }, subject === '' ? tell(`screen.${name}`) : literal(subject));
    replaceChildren(
      screen,
      title,
      isOpen ? build(parts) : html('p', { class: 'card' }, tell('trouble.forbidden_scope')),
    );
    return title;
  }

  show();
  return html(
    'div',
    { class: 'console' },
    html(
      'div',
      { class: 'console-side' },
      menuOf(name, may, given),
      html(
        'div',
        { class: 'who' },
        html('a', { href: hrefOf('check'), class: 'to-check' }, given.locale.say('route.check')),
        html(
          'p',
          { class: 'muted' },
          filled(tell('signedIn'), () => literal(session.user ?? session.key ?? '')),
        ),
        action({ label: tell('signOut'), run: leave }, given),
      ),
    ),
    html('div', { class: 'console-main' }, done, screen),
  );
}

/** Builds the menu of all screens. On narrow screens it is folded behind the name of the current one. */
function menuOf(current: ScreenName, may: ConsoleParts['may'], { tell }: FrameParts): HTMLElement {
  const names = Object.keys(SCREENS)
    .filter(isScreen)
    .filter((name) => may(...SCREENS[name].scopes));
  const ways = html(
    'div',
    { class: 'ways', id: 'console-ways' },
    names.map((name) =>
      html('a', { href: hrefOfScreen(name), 'aria-current': name === current ? 'page' : null }, tell(`screen.${name}`)),
    ),
  );
  const fold = html(
    'button',
    {
      ...{ type: 'button', class: 'fold', 'aria-expanded': 'false', 'aria-controls': ways.id },
      click: () => {
        const isOpen = menu.classList.toggle('is-open');
        fold.setAttribute('aria-expanded', String(isOpen));
      },
    },
    html('span', { class: 'visually-hidden' }, tell('menu'), ': '),
    tell(`screen.${current}`),
  );
  const menu = html('nav', { class: 'console-menu', 'aria-label': tell('menu') }, fold, ways);
  return menu;
}
