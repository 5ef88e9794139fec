import type { Child } from '#src/interfaces/ui/elements/dom.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import type { ScreenName } from '#src/parts/console-elements/screen-route.ts';
import { auditScreen } from './audit-screen.ts';
import { backupsScreen } from './backups-screen.ts';
import { brandsScreen } from './brands-screen.ts';
import { feedbackScreen } from './feedback-screen.ts';
import { fleetScreen } from './fleet-screen.ts';
import { gateScreen } from './gate-screen.ts';
import { historyScreen } from './history-screen.ts';
import { keysScreen } from './keys-screen.ts';
import { listsScreen } from './lists-screen.ts';
import { modelsScreen } from './models-screen.ts';
import { settingsScreen } from './settings-screen.ts';
import { todayScreen } from './today-screen.ts';

/** A screen of the console. */
interface Screen {
  /** Scopes that open it, any of them; `admin` opens all. */
  readonly scopes: readonly string[];
  readonly build: (parts: ConsoleParts) => Child;
}

/** All screens, in the order of the menu. The compiler asks for one for each title in the texts. */
export const SCREENS: Readonly<Record<ScreenName, Screen>> = {
  today: { scopes: ['lists', 'feedback', 'history'], build: todayScreen },
  history: { scopes: ['history', 'history.private'], build: historyScreen },
  feedback: { scopes: ['feedback'], build: feedbackScreen },
  lists: { scopes: ['lists'], build: listsScreen },
  gate: { scopes: ['lists'], build: gateScreen },
  brands: { scopes: [], build: brandsScreen },
  models: { scopes: [], build: modelsScreen },
  keys: { scopes: [], build: keysScreen },
  fleet: { scopes: [], build: fleetScreen },
  backups: { scopes: [], build: backupsScreen },
  settings: { scopes: [], build: settingsScreen },
  audit: { scopes: [], build: auditScreen },
};

/** Returns true for the name of a screen. */
export const isScreen = (name: string): name is ScreenName => Object.hasOwn(SCREENS, name);
