import { bundlePage } from './bundle.ts' with { type: 'macro' };

/** One file of the web page, ready to be sent. */
export interface Asset {
  readonly contentType: string;
  /** Gzipped. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Whether its name changes with its content, so that it may be kept for ever. */
  readonly isImmutable: boolean;
}

/** What the operator decides about the page. */
export interface PageOptions {
  /** What the switch between public and private proposes. */
  readonly defaultPrivate: boolean;
  /** Whether the public history and its figures may be read. */
  readonly publicHistory: boolean;
}

/**
 * Sent with the page's document. Only its own script, style and icon load; no markup can be made out of text, because
 * no trusted type exists; nothing may frame it.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The files of the web page by their path below the page's address; the document itself is the empty path. */
export function pageAssets({ defaultPrivate, publicHistory }: PageOptions): ReadonlyMap<string, Asset> {
  const attributes = `data-default-private="${defaultPrivate}" data-public-history="${publicHistory}"`;
  return new Map(
    bundlePage().map(({ path, contentType, gzipBase64 }) => {
      const content = Buffer.from(gzipBase64, 'base64');
      const body = path === '' ? withAttributes(content, attributes) : content;
      return [path, { contentType, body, isImmutable: path !== '' }];
    }),
  );
}

function withAttributes(document: Uint8Array<ArrayBuffer>, attributes: string): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(Bun.gunzipSync(document)).replace('<html ', `<html ${attributes} `);
  return Bun.gzipSync(new TextEncoder().encode(text));
}
