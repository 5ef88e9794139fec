import { zlib } from '#src/core/base/late-modules.ts';
import type { Coding } from './negotiation.ts';

/** Brotli's own default takes fifty times as long for a twentieth less. */
const BROTLI_QUALITY = 3;

/**
 * Compresses an answer: some 15 µs for a check, a tenth of the check's own time. The length reveals nothing (BREACH):
 * an attacker cannot put text beside a secret in one answer. Only the client starts a check, the checked site receives
 * the URL anyway, and no answer contains a cookie, key or token.
 */
export function compress(content: string | Uint8Array<ArrayBuffer>, coding: Coding): Uint8Array<ArrayBuffer> {
  switch (coding) {
    case 'zstd':
      return Uint8Array.from(Bun.zstdCompressSync(content));
    case 'br':
      return Uint8Array.from(brotli(content));
    case 'gzip':
      return Bun.gzipSync(content, { level: 4 });
  }
}

function brotli(content: string | Uint8Array<ArrayBuffer>): Buffer {
  const { brotliCompressSync, constants } = zlib();
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}
