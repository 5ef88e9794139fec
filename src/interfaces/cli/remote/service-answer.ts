import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { type CheckResult, DECISIONS } from '#src/checks/record/check-result.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';

/** Members of a problem that are printed. A newer service may have more. */
const ProblemSchema = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  code: Type.String(),
  detail: Type.String(),
  retry_after_seconds: Type.Optional(Type.Number({ minimum: 0 })),
});

/** The printed members of a result; others are allowed. */
const ResultSchema = Type.Object({
  url: Type.String(),
  malicious_probability: Type.Number({ minimum: 0, maximum: 1 }),
  decision: stringEnum(DECISIONS),
  analysis_details: Type.Object({
    reasons: Type.Array(Type.Object({ code: Type.String(), message: Type.String(), weight: Type.Number() })),
    unavailable: Type.Array(Type.Object({ component: Type.String(), reason: Type.String() })),
  }),
});

const FailedSchema = Type.Object({ problem: ProblemSchema });

const ItemsSchema = Type.Object({ items: Type.Array(Type.Unknown()) });

/** Why a service did not check something. */
export type ServiceProblem = Static<typeof ProblemSchema>;

/** Answer for a URL. */
export type ServiceItem = { readonly result: CheckResult } | { readonly problem: ServiceProblem };

/** Parses the items of an answer, as many as were requested; null if this version does not understand it. */
export function readItems(text: string, count: number): readonly ServiceItem[] | null {
  const shaped = readShape(ItemsSchema, parseJson(text));
  if (!('value' in shaped) || shaped.value.items.length !== count) return null;
  const items = shaped.value.items.flatMap((item) => readItem(item) ?? []);
  return items.length === count ? items : null;
}

/** Parses a problem that was returned instead of all items; null if the text is not one. */
export function readProblem(text: string): ServiceProblem | null {
  const shaped = readShape(ProblemSchema, parseJson(text));
  return 'value' in shaped ? shaped.value : null;
}

function readItem(item: unknown): ServiceItem | null {
  if (isResult(item)) return { result: item };
  const failed = readShape(FailedSchema, item);
  return 'value' in failed ? { problem: failed.value.problem } : null;
}

function isResult(value: unknown): value is CheckResult {
  return 'value' in readShape(ResultSchema, value);
}
