import { RefusalError, requestAbout } from '#src/interfaces/ui/api/api.ts';
import { html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import { filled } from '#src/interfaces/ui/elements/filled.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import { type ConsoleKey, loadTexts } from '#src/interfaces/ui/languages/language.ts';
import { createTeller } from '#src/interfaces/ui/languages/speak.ts';
import type { Locale } from '#src/interfaces/ui/shell/locale.ts';
import type { PageSettings } from '#src/interfaces/ui/shell/page-settings.ts';
import type { RouteFilter } from '#src/interfaces/ui/shell/route.ts';
import type { SessionState } from '#src/parts/console/answers/console-answers.ts';
import { currentSession, signIn } from '#src/parts/console-elements/api/session.ts';
import type { ConsoleTeller } from '#src/parts/console-elements/console-parts.ts';
import { consoleForm } from '#src/parts/console-elements/elements/form.ts';
import { trouble } from '#src/parts/console-elements/elements/trouble.ts';

/** Command that creates the first key. */
const FIRST_KEY = 'lurecheck key create NAME --scope admin';

interface SignInParts {
  readonly locale: Locale;
  readonly tell: ConsoleTeller;
  /** True if a session has ended. */
  readonly hasExpired: boolean;
}

/** The form that exchanges a key for a session. The key is neither stored nor left in the field. */
function signInView({ locale, tell, hasExpired }: SignInParts, entered: () => Promise<void>): HTMLElement {
  const form = consoleForm(
    {
      id: 'sign-in',
      fields: [{ name: 'key', kind: 'password', label: tell('key.one'), hint: tell('signIn.hint'), isRequired: true }],
      submit: tell('signIn'),
      async send(given, _result, clear) {
        const key = given.text('key');
        clear();
        await signIn(key);
        await entered();
      },
    },
    { locale, tell },
  );
  const first = html('div', {});
  void requestAbout().then(
    ({ needs_first_key: needsKey }) => needsKey && first.replaceWith(firstKey(tell)),
    () => undefined, // The form says itself when the service cannot be reached.
  );
  return html(
    'div',
    { class: 'sign-in' },
    html('h1', { tabindex: -1 }, tell('title')),
    first,
    html(
      'section',
      { class: 'card' },
      html('p', { class: 'lead' }, tell(hasExpired ? 'signIn.expired' : 'signIn.lead')),
      form,
    ),
  );
}

/** Explains how to create the first key. The service reports only to its own host that there is none. */
function firstKey(tell: ConsoleTeller): HTMLElement {
  return html(
    'section',
    { class: 'card first-key' },
    html('h2', {}, tell('firstKey.title')),
    html(
      'p',
      {},
      filled(tell('firstKey.lead'), () => html('code', {}, literal(FIRST_KEY, 'mono'))),
    ),
  );
}

/** The session; null until it is known, and after it ended. */
let known: SessionState | null = null;

/**
 * Builds the console: a screen, or the form to sign in. The address does not change, so that signing in leads to the
 * screen where the session ended.
 */
export async function consoleView(
  path: string,
  filter: RouteFilter,
  locale: Locale,
  settings: PageSettings,
  leaving: AbortSignal,
): Promise<HTMLElement> {
  const [texts] = await Promise.all([loadTexts(locale.say.tag, 'console'), loadStyle()]);
  const tell = createTeller<ConsoleKey>(texts);
  const place = html('div', { class: 'console-page' });
  const spoken = { locale, tell };

  async function enter(): Promise<void> {
    try {
      known ??= await currentSession(leaving);
    } catch (error) {
      if (leaving.aborted) return;
      if (error instanceof RefusalError && error.refusal.status === 401) ended();
      else replaceChildren(place, html('h1', { tabindex: -1 }, tell('title')), trouble(error, spoken));
      return;
    }
    await showFrame(known);
  }

  async function showFrame(session: SessionState): Promise<void> {
    document.documentElement.dataset['signedIn'] = 'true';
    // What is behind the form comes to who signed in alone.
    const { consoleFrame } = await import('./console-frame.ts');
    if (leaving.aborted) return;
    const frame = consoleFrame({ path, filter, locale, tell, settings, session, leaving }, { expired, ended });
    replaceChildren(place, frame);
  }

  function expired(isChange: boolean): void {
    if (leaving.aborted || known === null) return;
    known = null;
    if (isChange) askAgain();
    else ended();
  }

  function ended(): void {
    known = null;
    // The service writes the session into the document, where the header finds it.
    delete document.documentElement.dataset['signedIn'];
    const enterFrame = async (session: SessionState) => {
      await showFrame(session);
      place.querySelector<HTMLElement>('h1')?.focus();
    };
    replaceChildren(place, keyForm(false, enterFrame));
    // Once the page shows it: its heading has the focus until then.
    requestAnimationFrame(() => place.querySelector<HTMLElement>('input')?.focus());
  }

  /** Unsent input stays behind the form, and reappears after signing in. */
  function askAgain(): void {
    const behind = [...place.children].filter((one) => one instanceof HTMLElement);
    const hide = (isHidden: boolean) => {
      for (const one of behind) one.hidden = isHidden;
    };
    const form = keyForm(true, () => {
      form.remove();
      hide(false);
    });
    hide(true);
    place.append(form);
    form.querySelector<HTMLElement>('input')?.focus();
  }

  function keyForm(hasExpired: boolean, goOn: (session: SessionState) => void | Promise<void>): HTMLElement {
    return signInView({ ...spoken, hasExpired }, async () => {
      // The user may have opened another screen meanwhile.
      known = await currentSession();
      if (!leaving.aborted) await goOn(known);
    });
  }

  // A page that the browser puts aside may come back after the session has ended, and must not show then what it showed.
  addEventListener('pagehide', () => replaceChildren(place), { signal: leaving });
  addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (!persisted) return;
      known = null;
      void enter();
    },
    { signal: leaving },
  );
  await enter();
  return place;
}

/** Brings the style of the console, which no other page needs. */
function loadStyle(): Promise<void> {
  const named = document.querySelector<HTMLMetaElement>('meta[name="console"]');
  const { promise, resolve } = Promise.withResolvers<void>();
  if (named === null) return Promise.resolve();
  const link = html('link', { rel: 'stylesheet', href: named.content, load: () => resolve(), error: () => resolve() });
  document.head.append(link);
  named.remove();
  return promise;
}
