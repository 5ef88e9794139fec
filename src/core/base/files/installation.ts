import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../settings/setting-source.ts';

/** The settings that `service install` writes, which commands use unless others are named. */
export const INSTALLED_CONFIG = '/etc/lurecheck/lurecheck.toml';

/** Variables of the installed service, one per line; each wins over {@link INSTALLED_CONFIG}. */
export const INSTALLED_ENVIRONMENT = '/etc/lurecheck/environment';

/** The key of the installed service's backups, which outlives the data. */
export const INSTALLED_BACKUP_KEY = '/etc/lurecheck/backup.key';

/** The data directory of the installed service. */
export const INSTALLED_DATA_DIR = '/var/lib/lurecheck';

/** Folder of the settings of the installed service, which its user may read and only root may change. */
export const INSTALLED_SETTINGS = '/etc/lurecheck';

/** Files that start the service, in systemd and OpenRC; their settings are optional. */
const SERVICE_FILES = [
  ...['/etc/systemd/system', '/usr/lib/systemd/system', '/lib/systemd/system'].map(
    (folder) => `${folder}/lurecheck.service`,
  ),
  '/etc/init.d/lurecheck',
];

/** The settings of the service that is installed on this host. */
export interface Installation {
  /** The TOML file; null if the service is started without one. */
  readonly config: string | null;
  readonly environment: Environment;
}

/** Finds the settings of the installed service; null without one, or if this user may not read them. */
export function findInstallation(root = '/'): Installation | null {
  const [config, environmentFile] = [join(root, INSTALLED_CONFIG), join(root, INSTALLED_ENVIRONMENT)];
  const environment = mayRead(environmentFile) ? variablesIn(readFileSync(environmentFile, 'utf8')) : {};
  const named = environment['LURECHECK_CONFIG'];
  if (named !== undefined || mayRead(config)) return { config: named ?? config, environment };
  const isInstalled = SERVICE_FILES.some((path) => existsSync(join(root, path)));
  return isInstalled && !isInstallationUnreadable(root) ? { config: null, environment } : null;
}

/** Returns true if a service is installed whose settings this user may not read. */
export function isInstallationUnreadable(root = '/'): boolean {
  // The folder hides its files from others.
  return [INSTALLED_SETTINGS, INSTALLED_CONFIG]
    .map((path) => join(root, path))
    .some((path) => existsSync(path) && !mayRead(path));
}

function mayRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Reads variables as systemd does (systemd.exec(5), EnvironmentFile=), one per line, quoted or not. */
function variablesIn(text: string): Record<string, string> {
  const lines = text.split('\n').map((line) => /^\s*(LURECHECK_[A-Z0-9_]+)=(.*)$/.exec(line.trimEnd()));
  const unquoted = (value: string) => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
  return Object.fromEntries(lines.flatMap((found) => (found ? [[found[1], unquoted(found[2] ?? '')]] : [])));
}
