/** The pages within the page. */
export const ROUTES = ['check', 'history', 'overview', 'help'] as const;

export type RouteName = (typeof ROUTES)[number];

/** What the fragment of the address asks for. A fragment never leaves the browser, so it may hold a link. */
export interface Route {
  readonly name: RouteName;
  /** A link for the box (`#url=…`); null where there is none. */
  readonly link: string | null;
}

/** Reads a fragment such as `#/history`; what it does not know is the check page. */
export function readRoute(hash: string): Route {
  const link = /^#\/?\??url=(.*)$/s.exec(hash)?.[1];
  if (link !== undefined) return { name: 'check', link: decode(link) };
  return { name: ROUTES.find((name) => hash === hrefOf(name)) ?? 'check', link: null };
}

/** The fragment of a page. */
export function hrefOf(name: RouteName): string {
  return name === 'check' ? '#/' : `#/${name}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
