/** Where the value of a setting comes from. */
export type SettingOrigin =
  | { readonly source: 'default' }
  | {
      readonly source: 'file';
      readonly path: string;
      /** Counted from 1. */
      readonly line: number;
    }
  | { readonly source: 'variable' | 'flag'; readonly name: string };

/** A value as one source spells it. */
export interface Spelling {
  readonly key: string;
  readonly origin: SettingOrigin;
  /** One text, but for a list as many as it has items. */
  readonly texts: readonly string[];
}

/** How a person would name the place where a value stands: `--rate-limit`, `rate_limit in lurecheck.toml:3`. */
export function placeOf({ key, origin }: Pick<Spelling, 'key' | 'origin'>): string {
  if (origin.source === 'file') return `${key} in ${origin.path}:${origin.line}`;
  return origin.source === 'default' ? key : origin.name;
}

/** What is wrong, with the key that it is about; an empty one where it is about none. */
export interface SettingFault {
  readonly key: string;
  readonly problem: string;
}
