import type { ConfigFor } from '#src/app/config.ts';
import type { Examination } from '#src/app/doctor/finding.ts';
import type { Engine } from '#src/app/engine.ts';
import type { PART_SETTINGS } from '#src/app/parts/part-basis.ts';
import type { OpenedPart, PartRoutes, Service } from '#src/app/parts/service.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Command } from '#src/interfaces/cli/command.ts';

/** Members of a part that it may leave out. */
interface Offers {
  /** Its tables by what they are needed for, which is a heading of help, and the rules between them. */
  readonly settings: (typeof PART_SETTINGS)[number] | null;
  /** Codes of the states that it reports as notices; the console has a sentence for each. Never renamed. */
  readonly conditions: readonly string[];
  /** Commands by name; `registry.ts` has their places in help. */
  readonly commands: Readonly<Record<string, () => Promise<Command>>>;
  /** Examinations of `doctor` by what a failed one is called. */
  readonly examine: Readonly<Record<string, () => Promise<Examination>>>;
  /** Extends the engine of a check on the command line, which may take a picture; null if the settings do not enable it. */
  extend(
    engine: Engine,
    config: ConfigFor<'check'>,
    logger: Logger,
    picture: (Service['pictures'] & { readonly window: 'desktop' | 'phone' }) | null,
  ): Promise<AsyncDisposable | null>;
  /** Returns what `config check` warns of, in sentences. */
  warnings(config: ConfigFor<'config'>, logger: Logger): Promise<readonly string[]>;
  /** Reports whether the settings enable it; a service opens no other part. */
  isOn(settings: ConfigFor<'serve'>): boolean;
}

/**
 * An optional capability. Its settings are read first; everything else is imported when it is used, so that a service
 * does not load what its settings do not enable.
 */
interface DefinedPart<Key extends string, Opened extends OpenedPart, Routes, Provides> extends Offers {
  readonly name: Key;
  /** Its routes. */
  readonly routes: Routes;
  /** Functions that the core calls without knowing the part, by name; each is loaded when it is called. */
  readonly provides: Provides;
  /** Opens it. Throws ListenError, SettingsError. */
  open(service: Service): Promise<Opened>;
}

const OFFERS: Offers = {
  settings: null,
  conditions: [],
  commands: {},
  examine: {},
  extend: async () => null,
  warnings: async () => [],
  isOn: () => false,
};

/** An opened part without resources. */
const OPENED: OpenedPart = { [Symbol.asyncDispose]: async () => {} };

/** Functions that are loaded when they are called. */
type LateFunctions = Readonly<Record<string, () => Promise<unknown>>>;

/** Defines a part; `src/app/parts.ts` lists it. */
export function definePart<
  const Key extends string,
  Opened extends OpenedPart = OpenedPart,
  const Routes extends readonly PartRoutes[] = readonly [],
  Provides extends LateFunctions = Readonly<Record<never, never>>,
>(
  part: Partial<Offers> & {
    readonly name: Key;
    readonly routes?: Routes;
    readonly provides?: Provides;
    open?(service: Service): Promise<Opened>;
  },
): DefinedPart<Key, Opened, Routes, Provides> {
  // A part that leaves a member out has an empty one.
  const none = { routes: [] as unknown as Routes, provides: {} as Provides, open: async () => OPENED as Opened };
  return { ...OFFERS, ...none, ...part };
}
