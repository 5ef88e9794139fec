import { answer } from '../http/answer.ts';
import { routesWith } from '../http/routes-with.ts';
import { viewRoute } from './act-route.ts';
import { type ActiveSetting, ActiveSettingsSchema } from './answers/console-answers.ts';
import type { SignedInParts } from './requester.ts';

export interface SettingsRouteParts extends SignedInParts {
  readonly activeSettings: () => ActiveSetting[];
}

/** `GET /api/admin/settings`: the active settings, without passwords. */
export const settingsRoute = routesWith<SettingsRouteParts>().get(
  '/api/admin/settings',
  ({ service }) => ({ items: service.activeSettings() }),
  viewRoute(['admin'], {
    id: 'listSettings',
    summary: 'List the active settings',
    description: 'Values and sources, as `lurecheck config show`. Scope: `admin`.',
    answers: {
      200: answer(ActiveSettingsSchema, {
        description: 'The settings.',
        example: {
          items: [
            {
              ...{ name: 'rate_limit', description: 'Checks that a client may make per minute.', common: true },
              ...{ value: 20, source: 'default', reloadable: true },
            },
          ],
        },
      }),
    },
    refuses: [],
  }),
);
