import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/string-enum.ts';

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
