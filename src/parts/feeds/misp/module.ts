import { type Static, Type } from '@sinclair/typebox';
import { VERSION } from '#src/core/base/version.ts';

/** Name of the module, by which MISP asks for it. */
export const MODULE_NAME = 'lurecheck';

/** Type of an attribute that holds the header of a mail. */
export const HEADER_TYPE = 'email-header';

/** Types of attributes that the module takes. */
export const INPUT_TYPES = ['url', 'link', 'uri', 'domain', 'hostname', 'domain|ip', HEADER_TYPE] as const;

const TextsSchema = (description: string) => Type.Array(Type.String(), { description });

/** Description of a module for MISP, which reads `description` without testing for it. */
const MispModuleSchema = Type.Object(
  {
    name: Type.String({ description: 'Name by which `/query` is asked' }),
    type: Type.Literal('expansion', { description: 'Always `expansion`' }),
    mispattributes: Type.Object(
      {
        input: TextsSchema('Types of attributes that it takes'),
        output: TextsSchema('Types of attributes that it returns'),
        format: Type.Literal('misp_standard', { description: 'Objects with attributes' }),
      },
      { $id: 'MispAttributes', description: 'What it takes and returns' },
    ),
    meta: Type.Object(
      {
        version: Type.String({ description: 'Version of lurecheck' }),
        author: Type.String({ description: 'Who made it' }),
        name: Type.String({ description: 'Name for people' }),
        description: Type.String({ description: 'What it does' }),
        'module-type': TextsSchema('Families in which MISP shows it'),
        config: TextsSchema('Settings that MISP may send'),
      },
      { $id: 'MispMeta', description: 'What MISP shows of it' },
    ),
  },
  { $id: 'MispModule', description: 'A module, as misp-modules describes it' },
);

/** Answer of `/modules`. */
export const MispModulesSchema = Type.Array(MispModuleSchema, { $id: 'MispModules', description: 'All modules' });

export type MispModule = Static<typeof MispModuleSchema>;

/**
 * The module. It is in three families: MISP knows one service for each, and in `cortex` it sends a key as a header, while
 * `expansion` and `hover` have the setting `key`.
 */
export const MISP_MODULE: MispModule = {
  name: MODULE_NAME,
  type: 'expansion',
  mispattributes: { input: [...INPUT_TYPES], output: ['url', 'text', 'float'], format: 'misp_standard' },
  meta: {
    version: VERSION,
    author: 'The lurecheck authors',
    name: 'lurecheck',
    description:
      'Classifies a link, or a mail by its header, on this network: the calibrated probability that it is phishing, and why.',
    'module-type': ['expansion', 'hover', 'cortex'],
    config: ['key', 'visit'],
  },
};
