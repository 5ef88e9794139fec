import { type Static, Type } from '@sinclair/typebox';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { MessageVerdict } from '#src/checks/record/message-verdict.ts';

const MispAttributeSchema = Type.Object(
  {
    uuid: Type.String({ description: 'Identifier of the attribute' }),
    object_relation: Type.String({ description: 'What it says of the verdict' }),
    type: Type.String({ description: 'Type in MISP' }),
    value: Type.String({ description: 'Value' }),
    to_ids: Type.Boolean({ description: 'True for the URL of a link that is blocked' }),
    disable_correlation: Type.Boolean({ description: 'True for all but the URL, or all events would correlate' }),
  },
  { $id: 'MispAttribute', description: 'One member of a verdict' },
);

const MispReferenceSchema = Type.Object(
  {
    uuid: Type.String({ description: 'Identifier of the reference' }),
    object_uuid: Type.String({ description: 'The object' }),
    referenced_uuid: Type.String({ description: 'The attribute that was asked about' }),
    relationship_type: Type.String({ description: 'Always `analyses`' }),
  },
  { $id: 'MispReference', description: 'What an object is about' },
);

const MispObjectSchema = Type.Object(
  {
    uuid: Type.String({ description: 'Identifier of the object' }),
    name: Type.String({ description: 'Name of the template' }),
    'meta-category': Type.String({ description: 'Category of the template' }),
    description: Type.String({ description: 'What the object is' }),
    template_uuid: Type.String({ description: 'Identifier of the template' }),
    template_version: Type.String({ description: 'Version of the template' }),
    distribution: Type.String({ description: 'As the event' }),
    Attribute: Type.Array(MispAttributeSchema, { description: 'The verdict' }),
    ObjectReference: Type.Array(MispReferenceSchema, { description: 'The attribute; empty if MISP sent no UUID' }),
  },
  { $id: 'MispObject', description: 'A verdict as an object of MISP' },
);

/** The answer to a question. MISP's hover breaks on any other member of `results`. */
export const MispAnswerSchema = Type.Object(
  {
    results: Type.Optional(
      Type.Object(
        { Object: Type.Array(MispObjectSchema, { description: 'The verdict' }) },
        { $id: 'MispResults', description: 'What was found' },
      ),
    ),
    error: Type.Optional(Type.String({ description: 'Why there is no verdict, for the analyst' })),
  },
  { $id: 'MispAnswer', description: 'A verdict, or why there is none' },
);

export type MispAnswer = Static<typeof MispAnswerSchema>;

/** Identifier of the template; it stays, so that MISP recognises the objects of all services. */
const TEMPLATE = '6a2a9a1e-5c3c-4f6e-9c9e-7d1f5a0f3b11';

/** The distribution of an object that has that of its event. */
const AS_THE_EVENT = '5';

/** Number of reasons in an object. */
const MAX_REASONS = 5;

type MispAttribute = Static<typeof MispAttributeSchema>;

/** Describes a check as an object of MISP, about the attribute with a UUID. */
export function verdictObject(result: CheckResult, attributeUuid: string | null): MispAnswer {
  const { decision, analysis_details: details } = result;
  const url = {
    ...text('url', details.normalized_url, 'url'),
    to_ids: decision === 'block',
    disable_correlation: false,
  };
  const reasons = details.reasons.map(({ message }) => message);
  const seen = [text('coverage', details.coverage), url];
  return objectWith({ ...result, reasons, model: details.model_version }, seen, attributeUuid);
}

/** Describes the verdict on a mail likewise: its reasons by their codes, without anything of the mail. */
export function mailVerdictObject(verdict: MessageVerdict, attributeUuid: string | null): MispAnswer {
  const reasons = verdict.reasons.map(({ code }) => code);
  return objectWith({ ...verdict, reasons, model: verdict.model_version }, [], attributeUuid);
}

interface ShownVerdict extends Pick<CheckResult, 'decision' | 'malicious_probability'> {
  readonly reasons: readonly string[];
  readonly model: string;
}

function text(object_relation: string, value: string, type = 'text'): MispAttribute {
  return { uuid: crypto.randomUUID(), object_relation, type, value, to_ids: false, disable_correlation: true };
}

/** Returns a verdict as an object. Identifiers are random (UUIDv4): MISP refuses those of version 7. */
function objectWith(
  { decision, malicious_probability: probability, reasons, model }: ShownVerdict,
  seen: readonly MispAttribute[],
  attributeUuid: string | null,
): MispAnswer {
  const uuid = crypto.randomUUID();
  return {
    results: {
      Object: [
        {
          uuid,
          name: 'lurecheck-verdict',
          'meta-category': 'network',
          description: 'Verdict of lurecheck',
          template_uuid: TEMPLATE,
          template_version: '1',
          distribution: AS_THE_EVENT,
          Attribute: [
            text('decision', decision),
            text('probability', probability.toFixed(6), 'float'),
            ...seen,
            ...reasons.slice(0, MAX_REASONS).map((reason) => text('reason', reason)),
            text('model', model),
          ],
          ObjectReference:
            attributeUuid === null
              ? []
              : [
                  {
                    uuid: crypto.randomUUID(),
                    object_uuid: uuid,
                    referenced_uuid: attributeUuid,
                    relationship_type: 'analyses',
                  },
                ],
        },
      ],
    },
  };
}
