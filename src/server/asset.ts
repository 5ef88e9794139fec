/** A file as it is served: the same bytes for everybody. */
export interface Asset {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The body compressed; null where that saves nothing. */
  readonly gzip: Uint8Array<ArrayBuffer> | null;
  /** A strong entity tag (RFC 9110 §8.8.3), quotes included. */
  readonly etag: string;
}

/** Makes an asset of a file's content. */
export function createAsset(contentType: string, content: string | Uint8Array<ArrayBuffer>): Asset {
  const body = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const gzip = Bun.gzipSync(body);
  const digest = new Bun.CryptoHasher('sha256').update(body).digest('hex');
  return { contentType, body, gzip: gzip.length < body.length ? gzip : null, etag: `"${digest.slice(0, 32)}"` };
}
