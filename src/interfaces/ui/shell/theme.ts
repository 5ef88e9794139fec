import { preference } from './preference.ts';

/** `auto` follows the device. */
export const THEMES = ['auto', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

const chosen = preference('theme');

/** The theme that the reader chose, `auto` by default. */
export function currentTheme(): Theme {
  return THEMES.find((theme) => theme === chosen.read()) ?? 'auto';
}

/** Shows the page in a theme and remembers it. */
export function chooseTheme(theme: Theme): void {
  chosen.write(theme === 'auto' ? null : theme);
  showTheme(theme);
}

/** Shows the page in a theme. */
export function showTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
