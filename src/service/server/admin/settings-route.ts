import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/string-enum.ts';
import { answer } from '../http/answer.ts';
import { refusals } from '../http/refusals.ts';
import { routesWith } from '../http/routes-with.ts';
import { CONSOLE_REFUSALS } from './admin-refusals.ts';
import { admitScopes, type SignedInParts } from './requester.ts';

const SettingSchema = Type.Object(
  {
    name: Type.String({ description: 'Name of the setting' }),
    description: Type.String({ description: 'Meaning, in English' }),
    common: Type.Boolean({ description: 'True for one of the settings that most services are given' }),
    value: Type.Unknown({ description: 'Its value, passwords as `***`; null if it is not set' }),
    source: stringEnum(['default', 'file', 'environment', 'flag', 'database'], { description: 'Source of the value' }),
    reloadable: Type.Boolean({ description: 'True if SIGHUP applies a change' }),
  },
  { $id: 'ActiveSetting', description: 'A setting of the service' },
);

export const ActiveSettingsSchema = Type.Object(
  { items: Type.Array(SettingSchema, { description: 'In the order of the reference' }) },
  { $id: 'ActiveSettings', description: 'The active settings' },
);

/** A setting as the console shows it. */
export type ActiveSetting = Static<typeof SettingSchema>;

/** What the route of settings works with. */
export interface SettingsRouteParts extends SignedInParts {
  readonly activeSettings: () => ActiveSetting[];
}

/** `GET /api/admin/settings`: the active settings, without passwords. */
export const settingsRoute = routesWith<SettingsRouteParts>().get(
  '/api/admin/settings',
  ({ service }) => ({ items: service.activeSettings() }),
  {
    transform: admitScopes('admin'),
    response: {
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
      ...refusals(...CONSOLE_REFUSALS),
    },
    detail: {
      operationId: 'listSettings',
      tags: ['Console'],
      summary: 'List the active settings',
      description: 'Values and sources, as `lurecheck config show`. Scope: `admin`.',
    },
  },
);
