import { bundlePage } from './bundle.ts' with { type: 'macro' };
import type { BundledFile } from './bundle.ts';
import { type PageOptions, withOptions } from './page-options.ts';

/** One file of the web page. */
export interface PageFile {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** A strong entity tag (RFC 9110 §8.8.3), quotes included. */
  readonly etag: string;
}

/**
 * The files of the web page by their path below the page's address; the empty path is the page itself. They lie in the
 * program compressed and are unpacked when they are first asked for.
 */
export function pageFiles(options: PageOptions): ReadonlyMap<string, PageFile> {
  return new Map(bundlePage().map((bundled) => [bundled.path, pageFile(bundled, options)]));
}

function pageFile({ path, contentType, etag, gzipBase64 }: BundledFile, options: PageOptions): PageFile {
  let unpacked: { body: Uint8Array<ArrayBuffer>; gzip: Uint8Array<ArrayBuffer> } | undefined;
  const unpack = () => {
    const gzip = Uint8Array.from(Buffer.from(gzipBase64, 'base64'));
    const body = Bun.gunzipSync(gzip);
    if (path !== '') return { gzip, body };
    const document = new TextEncoder().encode(withOptions(new TextDecoder().decode(body), options));
    return { gzip: Bun.gzipSync(document), body: document };
  };
  return {
    contentType,
    etag: path === '' ? etag.replace(/"$/, `-${Bun.hash(JSON.stringify(options)).toString(36)}"`) : etag,
    get body() {
      unpacked ??= unpack();
      return unpacked.body;
    },
    get gzip() {
      unpacked ??= unpack();
      return unpacked.gzip;
    },
  };
}
