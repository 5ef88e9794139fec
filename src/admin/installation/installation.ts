import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import type { Environment } from '#src/core/base/settings/setting-environment.ts';

/** The settings that `service install` writes, which commands use unless others are named. */
export const INSTALLED_CONFIG = '/etc/lurecheck/lurecheck.toml';

/** Variables of the installed service, one per line; each wins over {@link INSTALLED_CONFIG}. */
export const INSTALLED_ENVIRONMENT = '/etc/lurecheck/environment';

/** The data directory of the installed service. */
export const INSTALLED_DATA_DIR = '/var/lib/lurecheck';

/** The settings of the service that is installed on this host. */
export interface Installation {
  readonly config: string;
  readonly environment: Environment;
}

/** Finds the settings of the installed service; null without one, or if this user may not read them. */
export function findInstallation(): Installation | null {
  if (!mayRead(INSTALLED_CONFIG)) return null;
  const environment = mayRead(INSTALLED_ENVIRONMENT) ? variablesIn(readFileSync(INSTALLED_ENVIRONMENT, 'utf8')) : {};
  return { config: environment['LURECHECK_CONFIG'] ?? INSTALLED_CONFIG, environment };
}

/** Whether a service is installed whose settings this user may not read. */
export function isInstallationUnreadable(): boolean {
  return existsSync(INSTALLED_DATA_DIR) && !mayRead(INSTALLED_CONFIG);
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
