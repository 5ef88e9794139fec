import type { Child } from '#src/interfaces/ui/elements/dom.ts';
import type { ConsoleKey } from '#src/interfaces/ui/languages/language.ts';
import type { Teller } from '#src/interfaces/ui/languages/speak.ts';
import type { Locale } from '#src/interfaces/ui/shell/locale.ts';
import type { PageSettings } from '#src/interfaces/ui/shell/page-settings.ts';
import type { RouteFilter } from '#src/interfaces/ui/shell/route.ts';
import type { SessionState } from '#src/parts/console/answers/console-answers.ts';
import type { ConsoleApi } from './api/console-api.ts';

/** Says the sentences of the console. */
export type ConsoleTeller = Teller<ConsoleKey>;

/** Dependencies of the screens. */
export interface ConsoleParts {
  readonly locale: Locale;
  readonly tell: ConsoleTeller;
  readonly settings: PageSettings;
  readonly session: SessionState;
  readonly api: ConsoleApi;
  /** Object of the screen in the address, such as a list; empty if there is none. */
  readonly subject: string;
  readonly filter: RouteFilter;
  /** Aborted once the reader leaves the screen. */
  readonly leaving: AbortSignal;
  /** Returns true if the session may do what needs any of these scopes. */
  may(...scopes: readonly string[]): boolean;
  /** Says in words what was done, also to screen readers. */
  note(...said: readonly Child[]): void;
  /** Ends the session. Throws RefusalError. */
  leave(): Promise<void>;
  /** Opens another screen, which repeats what was said last. */
  open(fragment: string): void;
  /** Rebuilds the screen from the current state of the service; what was typed stays. */
  reload(): void;
}
