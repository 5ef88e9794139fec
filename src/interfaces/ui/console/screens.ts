import type { Child } from '../elements/dom.ts';
import type { ConsoleParts } from './console-parts.ts';
import type { ScreenName } from './screen-route.ts';
import { auditScreen } from './screens/audit-screen.ts';
import { backupsScreen } from './screens/backups-screen.ts';
import { brandsScreen } from './screens/brands-screen.ts';
import { feedbackScreen } from './screens/feedback-screen.ts';
import { fleetScreen } from './screens/fleet-screen.ts';
import { gateScreen } from './screens/gate-screen.ts';
import { historyScreen } from './screens/history-screen.ts';
import { keysScreen } from './screens/keys-screen.ts';
import { listsScreen } from './screens/lists-screen.ts';
import { modelsScreen } from './screens/models-screen.ts';
import { settingsScreen } from './screens/settings-screen.ts';
import { todayScreen } from './screens/today-screen.ts';

/** A screen of the console. */
interface Screen {
  /** Scopes that open it, any of them; `admin` opens all. */
  readonly scopes: readonly string[];
  readonly build: (parts: ConsoleParts) => Child;
}

/** All screens. */
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
