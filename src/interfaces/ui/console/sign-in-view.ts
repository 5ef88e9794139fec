import { requestAbout } from '../api/api.ts';
import { html } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { literal } from '../elements/literal.ts';
import type { Locale } from '../shell/locale.ts';
import { signIn } from './api/session.ts';
import type { ConsoleTeller } from './console-parts.ts';
import { consoleForm } from './elements/form.ts';

/** Command that creates the first key. */
const FIRST_KEY = 'lurecheck key create NAME --scope admin';

interface SignInParts {
  readonly locale: Locale;
  readonly tell: ConsoleTeller;
  /** True if a session has ended. */
  readonly hasExpired: boolean;
}

/** The form that exchanges a key for a session. The key is neither stored nor left in the field. */
export function signInView({ locale, tell, hasExpired }: SignInParts, entered: () => Promise<void>): HTMLElement {
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
