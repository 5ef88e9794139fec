import { bundlePage } from './bundle.ts' with { type: 'macro' };
import type { BundledFile } from './bundle.ts';
import { type PageOptions, withOptions } from './page-options.ts';

/** One file of the web page. */
export interface PageFile {
  readonly contentType: string;
  /** Gzipped. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Whether its name changes with its content, so that it may be kept for ever. */
  readonly isImmutable: boolean;
}

/**
 * The files of the web page by their path below the page's address; the empty path is the page itself, which is another once
 * the thresholds are. They lie in the program compressed and are unpacked when they are first asked for.
 */
export function pageFiles(
  options: Omit<PageOptions, 'thresholds'>,
  thresholds: () => PageOptions['thresholds'],
): ReadonlyMap<string, PageFile> {
  return new Map(
    bundlePage().map((bundled) => [
      bundled.path,
      bundled.path === '' ? documentFile(bundled, options, thresholds) : pageFile(bundled),
    ]),
  );
}

function pageFile({ path, contentType, gzipBase64 }: BundledFile): PageFile {
  let body: PageFile['body'] | null = null;
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
): PageFile {
  let made: { readonly by: PageOptions['thresholds']; readonly body: PageFile['body'] } | null = null;
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
