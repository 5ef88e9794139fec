import type { RouteFilter } from '#src/interfaces/ui/shell/route.ts';

/** Names of the screens in their addresses, in the order of the menu. */
export const SCREEN_NAMES = [
  'today',
  'history',
  'feedback',
  'lists',
  'gate',
  'brands',
  'models',
  'keys',
  'fleet',
  'backups',
  'settings',
  'audit',
] as const;

export type ScreenName = (typeof SCREEN_NAMES)[number];

/** The screen that an address names, and what within it; the first one if it names none. */
export function screenIn(path: string): { readonly name: ScreenName; readonly subject: string } {
  const [name = '', subject = ''] = path.split('/');
  return { name: SCREEN_NAMES.find((one) => one === name) ?? 'today', subject: decoded(subject) };
}

/** The address of a screen. */
export function hrefOfScreen(name: ScreenName, subject = '', filter: RouteFilter = {}): string {
  const query = new URLSearchParams(filter).toString();
  return `#/console/${name}${subject && `/${encodeURIComponent(subject)}`}${query && `?${query}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
