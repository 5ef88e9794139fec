import type { X509Certificate } from 'node:crypto';
import { namedFileProblem, readNamedFile } from '#src/core/base/files/named-file.ts';
import { SettingsError } from '#src/core/base/settings/setting-source.ts';
import type { EgressSettings } from './settings.ts';

const PEM_BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Returns the certificates of `egress_ca`, each as PEM text; see {@link readCertificates}. */
export async function readAuthorities({ egress_ca: path }: Pick<EgressSettings, 'egress_ca'>): Promise<string[]> {
  return path === null ? [] : await readCertificates('egress_ca', path);
}

/**
 * Reads the certificates of a file that a setting names, each as PEM text; at least one.
 *
 * @throws SettingsError if the file or any certificate in it cannot be read.
 */
export async function readCertificates(setting: string, path: string): Promise<string[]> {
  const certificates = (await readNamedFile(setting, path)).match(PEM_BLOCK) ?? [];
  const { X509Certificate } = await import('node:crypto');
  const damaged = certificates.findIndex((pem) => !canRead(pem, X509Certificate));
  if (damaged < 0 && certificates.length > 0) return [...certificates];
  const what =
    damaged < 0
      ? 'holds no certificate in PEM form'
      : `holds ${certificates.length} in PEM form, of which number ${damaged + 1} is no certificate`;
  throw new SettingsError([namedFileProblem(setting, path, what)]);
}

function canRead(pem: string, Certificate: typeof X509Certificate): boolean {
  try {
    new Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
