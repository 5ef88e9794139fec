/** The pages within the page. */
export const ROUTES = ['check', 'history', 'overview', 'help', 'about'] as const;

/** These have no entry in the navigation: they come with a link, or are for operators. */
export type RouteName = (typeof ROUTES)[number] | 'result' | 'report' | 'console';

/** Filter of a page by the names of its URL parameters. */
export type RouteFilter = Readonly<Record<string, string>>;

/** The parsed fragment of the address. Browsers never send a fragment, so it may contain a link. */
export interface Route {
  readonly name: RouteName;
  /**
   * A link for the text box (`#url=…`), the content of a link to a result (`#result=…`), the number of a record of the
   * gate (`#/report/…`), or a screen of the console (`#/console/…`); null if there is none.
   */
  readonly link: string | null;
  /** Present if what comes with the address may be in no public log (`#private&url=…`); a check of it stays private. */
  readonly isPrivate?: true;
  /** Packed batch (`#batch=…`); absent if there is none. */
  readonly batch?: string;
  /** Present if the shared text is too long (`#shared=too-long`). */
  readonly isTooLong?: true;
  /** The filters of the history, also in the console; empty for all other pages. */
  readonly filter: RouteFilter;
}

/** Reads a fragment such as `#/history?decision=block`; what it does not know is the check page. */
export function readRoute(hash: string): Route {
  const [, ofPrivate, link] = /^#\/?\??(private&)?url=(.*)$/s.exec(hash) ?? [];
  if (link !== undefined)
    return { name: 'check', link: decode(link), ...(ofPrivate && { isPrivate: true }), filter: {} };
  const [, ofPublic, result] = /^#\/?(public&)?result=([\w.-]+)$/.exec(hash) ?? [];
  if (result !== undefined)
    return { name: 'result', link: result, ...(ofPublic ? {} : { isPrivate: true }), filter: {} };
  const report = /^#\/report\/([\da-f-]{36})$/.exec(hash)?.[1];
  if (report !== undefined) return { name: 'report', link: report, filter: {} };
  if (hash === '#shared=too-long') return { name: 'check', link: null, isTooLong: true, filter: {} };
  const batch = /^#\/?batch=([\w-]+)$/.exec(hash)?.[1];
  if (batch !== undefined) return { name: 'check', link: null, batch, filter: {} };
  const [path = '', query = ''] = hash.split(/\?(.*)/s);
  const screen = /^#\/console(?:\/(.*))?$/s.exec(path);
  const name = screen ? 'console' : (ROUTES.find((one) => path === hrefOf(one)) ?? 'check');
  const isFiltered = name === 'history' || name === 'console';
  return { name, link: screen?.[1] ?? null, filter: isFiltered ? Object.fromEntries(new URLSearchParams(query)) : {} };
}

/** The fragment of a page. */
export function hrefOf(name: RouteName, filter: RouteFilter = {}): string {
  const query = new URLSearchParams(filter).toString();
  return `${name === 'check' ? '#/' : `#/${name}`}${query === '' ? '' : `?${query}`}`;
}

/**
 * Returns the fragment that fills the text box with a link.
 *
 * @param isPrivate true unless the link is in the public log already: its check then stays private
 */
export function hrefOfLink(url: string, isPrivate: boolean): string {
  return `#${isPrivate ? 'private&' : ''}url=${encodeURIComponent(url)}`;
}

/**
 * Returns the fragment that shows a result, packed by `packResult`. A link that does not say that its result is public
 * may be of a private check.
 */
export function hrefOfResult(packed: string, isPublic: boolean): string {
  return `#${isPublic ? 'public&' : ''}result=${packed}`;
}

/** Returns the fragment that fills the text box with the links of a batch, packed by `packBatch`. */
export function hrefOfBatch(packed: string): string {
  return `#batch=${packed}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
