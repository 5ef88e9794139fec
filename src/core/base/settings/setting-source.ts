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
