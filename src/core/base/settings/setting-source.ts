import { OperationError } from '../errors/operation-error.ts';
import type { SettingTable } from './setting.ts';

/** Invalid settings; `problems` has one sentence per fault. */
export class SettingsError extends OperationError {
  override readonly name = 'SettingsError';

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super('settings', problems, options);
  }
}

/**
 * Waits for all that is made out of settings.
 *
 * @throws SettingsError with what every one of them finds wrong; any other error before that.
 */
export async function withAllProblems<const T extends readonly Promise<unknown>[]>(
  making: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  const settled = await Promise.allSettled(making);
  const errors = settled.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  for (const error of errors) if (!(error instanceof OperationError)) throw error;
  const problems = errors.flatMap((error) => (error instanceof OperationError ? error.problems : []));
  if (problems.length > 0) throw new SettingsError(problems);
  return await Promise.all(making);
}

const PREFIX = 'LURECHECK_';

/** The environment variable of a key: `rate_limit` → `LURECHECK_RATE_LIMIT`. */
export const variableOf = (key: string): string => PREFIX + key.toUpperCase();

/** The environment, of which most variables mean something to others. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of the environment. */
export interface EnvironmentReading {
  readonly rawSettings: readonly RawSetting[];
  /** Variables that bear this program's prefix, and are another's. */
  readonly foreign: readonly string[];
}

/**
 * Reads the settings of a table from the environment.
 *
 * @param otherKeys keys that are read elsewhere
 */
export function readEnvironment(
  environment: Environment,
  table: SettingTable,
  otherKeys: readonly string[],
): EnvironmentReading {
  const rawSettings: RawSetting[] = [];
  const foreign: string[] = [];
  for (const [name, text] of Object.entries(environment)) {
    const key = name.startsWith(PREFIX) ? name.slice(PREFIX.length).toLowerCase() : '';
    if (key === '' || otherKeys.includes(key) || text === undefined) continue;
    const row = Object.hasOwn(table, key) ? table[key] : undefined;
    if (isServiceLink(key, text, row !== undefined)) foreign.push(name);
    else {
      const texts = row?.kind.isList === true ? splitAtCommas(text) : [text];
      rawSettings.push({ key, origin: { source: 'variable', name }, texts });
    }
  }
  return { rawSettings, foreign };
}

/**
 * Returns true if a variable is a service link of Kubernetes: beside a service `lurecheck` or `lurecheck-web`,
 * Kubernetes sets `LURECHECK_SERVICE_HOST`, `LURECHECK_WEB_PORT=tcp://…`, `LURECHECK_WEB_PORT_8080_TCP_ADDR` and more
 * in every container (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables), as links
 * between containers did before.
 */
function isServiceLink(key: string, text: string, isSetting: boolean): boolean {
  if (/(?:^|_)port$/.test(key) && /^(?:tcp|udp|sctp):\/\//.test(text)) return true;
  return !isSetting && /^port(?:_|$)|(?:^|_)service_|_port_\d+_(?:tcp|udp|sctp)(?:_(?:proto|port|addr))?$/.test(key);
}

/** The items of a list in one variable; a comma with a backslash before it belongs to its item. */
function splitAtCommas(text: string): string[] {
  return text.split(/(?<!\\),/).map((item) => item.trim().replaceAll('\\,', ','));
}

/** Source of the value of a setting. */
export type SettingOrigin =
  | { readonly source: 'default' }
  | {
      readonly source: 'file';
      readonly path: string;
      /** Counted from 1. */
      readonly line: number;
    }
  | { readonly source: 'variable' | 'flag'; readonly name: string };

/** An unparsed value of one source. */
export interface RawSetting {
  readonly key: string;
  readonly origin: SettingOrigin;
  /** One text, but for a list as many as it has items. */
  readonly texts: readonly string[];
}

/** Formats the location of a value: `--rate-limit`, `rate_limit in lurecheck.toml:3`. */
export function placeOf({ key, origin }: Pick<RawSetting, 'key' | 'origin'>): string {
  if (origin.source === 'file') return `${key} in ${origin.path}:${origin.line}`;
  return origin.source === 'default' ? key : origin.name;
}

/** A problem with the key of its setting; the key is empty if it concerns none. */
export interface SettingFault {
  readonly key: string;
  readonly problem: string;
}
