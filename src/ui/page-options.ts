/** What the operator decides about the page. */
export interface PageOptions {
  /** What the switch between public and private proposes. */
  readonly defaultPrivate: boolean;
  /** Whether the public history and its figures may be read. */
  readonly publicHistory: boolean;
}

/** The page's document with the options in its root element, where its script finds them. */
export function withOptions(document: string, { defaultPrivate, publicHistory }: PageOptions): string {
  return document.replace(
    '<html ',
    `<html data-default-private="${defaultPrivate}" data-public-history="${publicHistory}" `,
  );
}
