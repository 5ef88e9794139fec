import type { ConfigFor } from '#src/app/config.ts';
import type { Examination } from '#src/app/doctor/finding.ts';
import type { PART_SETTINGS } from '#src/app/parts/part-settings.ts';
import type { OpenedPart, Service } from '#src/app/parts/service.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Command } from '#src/interfaces/cli/command.ts';

/** Members of a part that it may leave out. */
interface Offers {
  /** Commands by name; `registry.ts` has their places in help. */
  readonly commands: Readonly<Record<string, () => Promise<Command>>>;
  /** Examinations of `doctor` by what a failed one is called. */
  readonly examine: Readonly<Record<string, () => Promise<Examination>>>;
  /** Returns what `config check` warns of, in sentences. */
  warnings(config: ConfigFor<'config'>, logger: Logger): Promise<readonly string[]>;
}

/**
 * An optional capability. Its settings are read first; everything else is imported when it is used, so that a service
 * does not load what its settings do not enable.
 */
interface DefinedPart<Key extends string, Opened extends OpenedPart> extends Offers {
  readonly name: Key;
  /** Its tables by what they are needed for, which is a heading of help, and the rules between them. */
  readonly settings: (typeof PART_SETTINGS)[number];
  /** Reports whether the settings enable it; a service opens no other part. */
  isOn(settings: ConfigFor<'serve'>): boolean;
  /** Opens it. Throws ListenError, SettingsError. */
  open(service: Service): Promise<Opened>;
}

/** Defines a part; `src/app/parts.ts` lists it. */
export function definePart<const Key extends string, Opened extends OpenedPart>(
  part: Omit<DefinedPart<Key, Opened>, keyof Offers> & Partial<Offers>,
): DefinedPart<Key, Opened> {
  return { commands: {}, examine: {}, warnings: async () => [], ...part };
}
