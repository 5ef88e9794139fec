import { isLanguageTag, LANGUAGES } from '#src/core/languages/languages.ts';
import { html } from '../elements/dom.ts';
import { mark } from '../elements/icons.ts';
import { chooseLanguage, type Locale } from './locale.ts';
import type { PageSettings } from './page-settings.ts';
import { preference } from './preference.ts';
import { hrefOf, ROUTES, type RouteName } from './route.ts';

/** `auto` follows the device. */
const THEMES = ['auto', 'light', 'dark'] as const;

type Theme = (typeof THEMES)[number];

const chosen = preference('theme');

/** The theme that the reader chose, `auto` by default. */
export function currentTheme(): Theme {
  return THEMES.find((theme) => theme === chosen.read()) ?? 'auto';
}

/** Shows the page in a theme and remembers it. */
function chooseTheme(theme: Theme): void {
  chosen.write(theme === 'auto' ? null : theme);
  showTheme(theme);
}

/** Shows the page in a theme. */
export function showTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/**
 * Builds the surroundings of `main`: menu, language, colours, footer; `rebuild` is called once another language is
 * chosen.
 */
export function shell(main: HTMLElement, locale: Locale, settings: PageSettings, rebuild: () => Promise<void>) {
  const { say } = locale;
  const hidden: readonly RouteName[] = settings.isHistoryPublic ? ['about'] : ['history', 'overview', 'about'];
  const shown: readonly RouteName[] = [...ROUTES.filter((name) => !hidden.includes(name)), 'console'];
  const links = new Map(shown.map((name) => [name, html('a', { href: hrefOf(name) }, say(`route.${name}`))]));
  const skip = html('a', { class: 'skip', href: '#main', click: skipTo(main) }, say('app.skip'));
  const header = html(
    'header',
    { class: 'top' },
    html('a', { class: 'brand', href: hrefOf('check') }, mark(), 'lurecheck'),
    html('nav', { 'aria-label': say('app.menu') }, [...links.values()]),
    html('div', { class: 'looks' }, languageChoice(locale, rebuild), themeChoice(locale)),
  );
  const footer = html(
    'footer',
    { class: 'bottom' },
    html('p', {}, say('app.footer')),
    html(
      'p',
      { class: 'links' },
      html('a', { href: hrefOf('about') }, say('route.about')),
      html('a', { href: hrefOf('console') }, say('route.console')),
      html('a', { href: 'swagger' }, say('app.api')),
      html('a', { href: 'help', hreflang: 'en' }, say('app.manual')),
    ),
  );
  return {
    element: [skip, header, main, footer],
    markRoute(current: RouteName) {
      for (const [name, link] of links) {
        link.ariaCurrent = name === current ? 'page' : null;
        // The service states in the document that the reader is signed in.
        link.hidden = name === 'console' && !document.documentElement.dataset['signedIn'];
      }
    },
  };
}

/** The fragment is the page's own route, so the jump is made by hand. */
function skipTo(main: HTMLElement) {
  return (event: Event) => {
    event.preventDefault();
    main.focus();
  };
}

function languageChoice({ say }: Locale, rebuild: () => Promise<void>): HTMLElement {
  const select = html(
    'select',
    {
      id: 'language',
      'aria-label': say('app.language'),
      change: () => void choose(),
    },
    Object.entries(LANGUAGES).map(([tag, { name }]) =>
      html('option', { value: tag, lang: tag, selected: tag === say.tag }, name),
    ),
  );

  async function choose(): Promise<void> {
    if (!isLanguageTag(select.value)) return;
    chooseLanguage(select.value);
    await rebuild();
    // All elements are new, including this choice: keyboard users continue from here.
    document.getElementById('language')?.focus();
  }

  return select;
}

function themeChoice({ say }: Locale): HTMLElement {
  const select = html(
    'select',
    {
      'aria-label': say('app.theme'),
      change: () => {
        const theme = THEMES.find((one) => one === select.value);
        if (theme) chooseTheme(theme);
      },
    },
    THEMES.map((theme) =>
      html('option', { value: theme, selected: theme === currentTheme() }, say(`app.theme.${theme}`)),
    ),
  );
  return select;
}
