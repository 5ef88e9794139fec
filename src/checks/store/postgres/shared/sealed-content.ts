import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { StoreError } from '../../store-error.ts';

const [NONCE_BYTES, TAG_BYTES] = [12, 16];

/** Encrypts what the nodes share, so that the database, its backups and its operator do not know it. */
export interface ContentSeal {
  /** Returns a nonce, the tag and the ciphertext of AES-256-GCM over the compressed text. */
  seal(text: string, name: string, version: number): Buffer;
  /** Throws StoreError `wrong_database` if the content was sealed by another key, or under another name or version. */
  open(content: Uint8Array, name: string, version: number): string;
}

/** Creates a seal by a key that is derived from the client key of the fleet. */
export function createContentSeal(clientKey: Buffer): ContentSeal {
  const key = Buffer.from(hkdfSync('sha256', clientKey, '', 'lurecheck shared documents', 32));
  const bound = (name: string, version: number) => Buffer.from(`${name} ${version}`);
  return {
    seal(text, name, version) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      cipher.setAAD(bound(name, version));
      const body = Buffer.concat([cipher.update(Bun.zstdCompressSync(Buffer.from(text))), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(content, name, version) {
      const bytes = Buffer.from(content);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
        decipher.setAAD(bound(name, version));
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const body = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
        return Buffer.from(Bun.zstdDecompressSync(body)).toString();
      } catch (cause) {
        const message = `The ${name} in the database cannot be decrypted: client_key_file must hold the same key on all nodes.`;
        throw new StoreError('wrong_database', message, { cause });
      }
    },
  };
}
