/** What the operator decides about the page. */
export interface PageOptions {
  /** What the switch between public and private proposes. */
  readonly defaultPrivate: boolean;
  /** Whether the public history and its figures may be read. */
  readonly publicHistory: boolean;
  /** Probabilities from which on a check is warned of and blocked. */
  readonly thresholds: { readonly warn: number; readonly block: number };
}

/** The page's document with the options in its root element, where its script finds them. */
export function withOptions(document: string, { defaultPrivate, publicHistory, thresholds }: PageOptions): string {
  const attributes = {
    'data-default-private': defaultPrivate,
    'data-public-history': publicHistory,
    'data-warn': thresholds.warn,
    'data-block': thresholds.block,
  };
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`);
  return document.replace('<html ', `<html ${written.join(' ')} `);
}
