import type { ServerSettings } from '../settings.ts';

/** The operator's settings of the page. */
export interface PageOptions extends Pick<ServerSettings, 'default_private' | 'public_history'> {
  /** Probabilities from which on a check is warned of and blocked. */
  readonly thresholds: { readonly warn: number; readonly block: number };
  /** Network use of a check. */
  readonly network: 'full' | 'dns' | 'none';
  /** Share of phishing among all that is checked. */
  readonly base_rate: number;
}

/** The page's document with the options in its root element, where its script finds them. */
export function withOptions(document: string, { thresholds, ...options }: PageOptions): string {
  const attributes = {
    'data-default-private': options.default_private,
    'data-public-history': options.public_history,
    'data-network': options.network,
    'data-base-rate': options.base_rate,
    'data-warn': thresholds.warn,
    'data-block': thresholds.block,
  };
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`);
  return document.replace('<html ', `<html ${written.join(' ')} `);
}
