import { type Setting, settableIn } from '#src/core/base/settings/setting.ts';
import type { SettingsReading } from '#src/core/base/settings/setting-reader.ts';
import type { SettingOrigin } from '#src/core/base/settings/setting-source.ts';
import { type Config, SETTINGS } from './config.ts';

/** A setting with its value and source. */
export interface ShownSetting extends Pick<Setting<unknown>, 'kind' | 'description' | 'isReloadable'> {
  readonly key: string;
  readonly value: unknown;
  readonly origin: SettingOrigin;
}

/** Source of each setting that a command reads. */
export type ShownOrigins = SettingsReading<Partial<Config>>['origins'];

/** Returns the settings of a reading, in the order of the reference; those for tuning only if they are set. */
export function settingsShown({ values, origins }: Pick<SettingsReading<Partial<Config>>, 'values' | 'origins'>) {
  const listed = settableIn(SETTINGS);
  return Object.entries(SETTINGS).flatMap(([key, { kind, description, isReloadable }]): ShownSetting[] => {
    const origin = origins[key as keyof typeof origins];
    const isShown = Object.hasOwn(listed, key) || (origin && origin.source !== 'default');
    return origin && isShown
      ? [{ key, kind, description, isReloadable, value: values[key as keyof typeof values], origin }]
      : [];
  });
}

/** Converts a value to JSON: numbers and booleans as such, others as settings write them, without passwords; null if not set. */
export function plainValue(kind: ShownSetting['kind'], value: unknown) {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return Array.isArray(value)
    ? value.map((item): string | number => (typeof item === 'number' ? item : kind.write([item])))
    : kind.write(value);
}
