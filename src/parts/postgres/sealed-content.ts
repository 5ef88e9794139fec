import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { StoreError } from '#src/checks/store/store-error.ts';

const [NONCE_BYTES, TAG_BYTES] = [12, 16];

/** Content was sealed with another client key, or is not what was sealed. */
export class SealError extends StoreError {
  constructor(name: string, cause: unknown) {
    const message = `The ${name} in the database cannot be decrypted: client_key_file must hold the same key on all nodes.`;
    super('wrong_database', message, { cause });
  }
}

/** Encrypts shared content, so that the database, its backups and its operator cannot read it. */
export interface ContentSeal {
  /** Returns a nonce, the tag and the ciphertext of AES-256-GCM over the compressed bytes. */
  seal(bytes: Uint8Array, name: string, version: number): Buffer;
  /** Throws SealError if the content was sealed by another key, or under another name or version. */
  open(content: Uint8Array, name: string, version: number): Buffer;
  /** Returns a keyed hash in hexadecimal: equal for equal texts, and meaningless without the key. */
  printOf(text: string): string;
}

/** Creates a seal with keys derived from the client key of the fleet. */
export function createContentSeal(clientKey: Buffer): ContentSeal {
  const derived = (info: string) => Buffer.from(hkdfSync('sha256', clientKey, '', info, 32));
  const [key, printKey] = [derived('lurecheck shared documents'), derived('lurecheck shared prints')];
  const bound = (name: string, version: number) => Buffer.from(`${name} ${version}`);
  return {
    seal(bytes, name, version) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      cipher.setAAD(bound(name, version));
      const body = Buffer.concat([cipher.update(Bun.zstdCompressSync(bytes)), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(content, name, version) {
      const bytes = Buffer.from(content);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
        decipher.setAAD(bound(name, version));
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const body = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
        return Buffer.from(Bun.zstdDecompressSync(body));
      } catch (cause) {
        throw new SealError(name, cause);
      }
    },
    printOf: (text) => createHmac('sha256', printKey).update(text).digest('hex'),
  };
}
