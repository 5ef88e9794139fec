import type { ServerSettings } from '../settings.ts';
import type { Asset } from './assets.ts';
import { bundlePage } from './bundle.ts' with { type: 'macro' };
import type { BundledFile } from './bundle.ts';

/**
 * The files of the web page by their path below the page's address; the empty path is the page itself in English, and
 * {@link documentIn} names it in other languages; it is another once the thresholds are. They lie in the program compressed and are unpacked when they are first asked for.
 */
export function pageFiles(
  options: Omit<PageOptions, 'thresholds'>,
  thresholds: () => PageOptions['thresholds'],
): ReadonlyMap<string, Asset> {
  return new Map(
    bundlePage().map((bundled) => [
      addressOf(bundled),
      bundled.language === undefined ? pageFile(bundled) : documentFile(bundled, options, thresholds),
    ]),
  );
}

/** The document in English has its path, those in other languages the path and their tag. */
function addressOf({ path, language = 'en' }: BundledFile): string {
  return language === 'en' ? path : documentIn(language);
}

/** The key of the document in a language but English. No request names it: the language is negotiated. */
export function documentIn(language: string): string {
  return `:${language}`;
}

function pageFile({ path, contentType, gzipBase64 }: BundledFile): Asset {
  let body: Asset['body'] | null = null;
  return {
    contentType,
    get body() {
      body ??= unpacked(gzipBase64);
      return body;
    },
    isImmutable: path.startsWith('assets/'),
  };
}

function documentFile(
  { contentType, gzipBase64 }: BundledFile,
  options: Omit<PageOptions, 'thresholds'>,
  thresholds: () => PageOptions['thresholds'],
): Asset {
  let made: { readonly by: PageOptions['thresholds']; readonly body: Asset['body'] } | null = null;
  return {
    contentType,
    get body() {
      const now = thresholds();
      if (made?.by !== now) made = { by: now, body: personalised(gzipBase64, { ...options, thresholds: now }) };
      return made.body;
    },
    isImmutable: false,
  };
}

function unpacked(gzipBase64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(gzipBase64, 'base64'));
}

function personalised(gzipBase64: string, options: PageOptions): Uint8Array<ArrayBuffer> {
  const document = new TextDecoder().decode(Bun.gunzipSync(unpacked(gzipBase64)));
  return Bun.gzipSync(new TextEncoder().encode(withOptions(document, options)));
}

/** The operator's settings of the page. */
interface PageOptions extends Pick<ServerSettings, 'default_private' | 'public_history'> {
  /** Probabilities from which on a check is warned of and blocked. */
  readonly thresholds: { readonly warn: number; readonly block: number };
  /** Network use of a check. */
  readonly network: 'full' | 'dns' | 'none';
  /** Share of phishing among all that is checked. */
  readonly base_rate: number;
}

/** The page's document with the options in its root element, where its script finds them. */
function withOptions(document: string, { thresholds, ...options }: PageOptions): string {
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
