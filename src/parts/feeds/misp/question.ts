import { type Static, Type } from '@sinclair/typebox';
import { VERSION } from '#src/core/base/version.ts';
import { refang } from '#src/core/url/defang.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';

/** Name of the module, by which MISP asks for it. */
const MODULE_NAME = 'lurecheck';

/** Type of an attribute that holds the header of a mail. */
const HEADER_TYPE = 'email-header';

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

type MispModule = Static<typeof MispModuleSchema>;

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

/** Question of MISP; nothing in it is guaranteed, so `readQuestion` validates it. */
export const MispQuestionSchema = Type.Object(
  {
    module: Type.Optional(Type.Unknown({ description: 'Always `lurecheck`' })),
    attribute: Type.Optional(Type.Unknown({ description: '`type`, `value` and `uuid` of an attribute' })),
    config: Type.Optional(
      Type.Unknown({
        description: '`key`, and `visit`: `true` if the check may use the network; without it, it does not',
      }),
    ),
  },
  {
    $id: 'MispQuestion',
    additionalProperties: true,
    description: 'What MISP asks; older versions send a member by the name of the type',
  },
);

/** A validated question: a link, or the header of a mail. */
export interface MispQuestion {
  readonly subject: { readonly target: Target } | { readonly header: string };
  /** UUID of the attribute; null if MISP sent none. */
  readonly attributeUuid: string | null;
  /** True if the check may use the network; an analyst's URL often must not be visited. */
  readonly visit: boolean;
}

/** Why a question has no answer, in a sentence that MISP shows to the analyst. */
interface MispError {
  readonly error: string;
}

/** A UUID as MISP writes it (RFC 9562 §4). */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reads a question, of both forms: an `attribute`, or a member that has the name of its type. */
export function readQuestion(body: object): MispQuestion | MispError {
  const module = memberOf(body, 'module');
  if (module !== MODULE_NAME) return { error: `The only module here is ${MODULE_NAME}.` };
  const attribute = memberOf(body, 'attribute');
  const asked = isObject(attribute) ? [memberOf(attribute, 'type'), memberOf(attribute, 'value')] : simpleForm(body);
  const [type, value] = asked;
  if (typeof value !== 'string' || !INPUT_TYPES.some((one) => one === type))
    return { error: `The module takes an attribute of one of these types: ${INPUT_TYPES.join(', ')}.` };
  const subject = type === HEADER_TYPE ? { header: value } : linkIn(type === 'domain|ip', value);
  if ('error' in subject) return subject;
  const uuid = isObject(attribute) ? memberOf(attribute, 'uuid') : null;
  return {
    subject,
    attributeUuid: typeof uuid === 'string' && UUID.test(uuid) ? uuid : null,
    visit: isTrue(memberOf(configOf(body), 'visit')),
  };
}

/** Reads the link or name of an attribute, which may have an address behind it. */
function linkIn(hasAddress: boolean, value: string): { readonly target: Target } | MispError {
  const text = hasAddress ? (value.split('|', 1)[0] ?? '') : value;
  const target = parseTarget(refang(text).url);
  return isTargetProblem(target) ? { error: `The value ${target.message}.` } : { target };
}

/** Returns the key in the module's settings; null if there is none. */
export function keyIn(body: object): string | null {
  const key = memberOf(configOf(body), 'key');
  return typeof key === 'string' && key !== '' ? key : null;
}

function simpleForm(body: object): [type: string | undefined, value: unknown] {
  const type = INPUT_TYPES.find((one) => typeof memberOf(body, one) === 'string');
  return [type, type && memberOf(body, type)];
}

function configOf(body: object): object {
  const config = memberOf(body, 'config');
  return isObject(config) ? config : {};
}

/** The settings of a module are texts that people type. */
function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && /^(?:1|true|yes|on)$/i.test(value));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function memberOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}
