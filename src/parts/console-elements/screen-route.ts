import type { ConsoleKey } from '#src/interfaces/ui/languages/language.ts';
import type { RouteFilter } from '#src/interfaces/ui/shell/route.ts';

type NameIn<Key> = Key extends `screen.${infer Name}` ? Name : never;

/** The name of a screen in its address; its title in the texts has it in its key. */
export type ScreenName = NameIn<ConsoleKey>;

/** The name of a screen in an address, and what within it; both are as they were typed. */
export function screenIn(path: string): { readonly name: string; readonly subject: string } {
  const [name = '', subject = ''] = path.split('/');
  return { name, subject: decoded(subject) };
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
