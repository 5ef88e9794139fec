import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { namedFileProblem, readNamedFile } from '#src/core/base/files/named-file.ts';
import { SettingsError, withAllProblems } from '#src/core/base/settings/setting-source.ts';
import { readCertificates } from '#src/network/egress/authorities.ts';

/** Certificate and key of the service. */
export interface TlsPair {
  /** Its certificate and those between it and its authority, as PEM text. */
  readonly cert: string;
  /** PEM text. */
  readonly key: string;
}

/**
 * Reads the configured certificate and key; null if none are configured.
 *
 * @throws SettingsError if a file is unreadable or invalid, or the two do not match
 */
export async function readTlsPair({
  tls_certificate: certificatePath,
  tls_key: keyPath,
}: {
  readonly tls_certificate: string | null;
  readonly tls_key: string | null;
}): Promise<TlsPair | null> {
  if (certificatePath === null || keyPath === null) return null;
  const [certificates, keyText] = await withAllProblems([
    readCertificates('tls_certificate', certificatePath),
    readNamedFile('tls_key', keyPath),
  ]);
  const [own = '', ...others] = certificates;
  const key = readKey(keyText);
  const problem =
    typeof key === 'string'
      ? key
      : new X509Certificate(own).checkPrivateKey(key)
        ? null
        : 'is the key of another certificate';
  if (problem !== null) throw new SettingsError([namedFileProblem('tls_key', keyPath, problem)]);
  return { cert: [own, ...others].join('\n'), key: keyText };
}

/** Parses a private key. A string states, as the end of a sentence, why the text is not one. */
function readKey(text: string): KeyObject | string {
  // There is no one to enter the passphrase.
  if (/^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(text))
    return 'is encrypted: store it without a passphrase';
  try {
    return createPrivateKey(text);
  } catch {
    return 'holds no private key in PEM form';
  }
}
