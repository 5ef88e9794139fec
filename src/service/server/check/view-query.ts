import { Type } from '@sinclair/typebox';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { type ShortResult, shortResult } from '#src/checks/record/short-result.ts';
import { parameter } from '../http/parameter.ts';

/** The parameters of a check. Others are refused before it begins. */
export const ViewQuerySchema = Type.Object(
  {
    view: Type.Optional(
      parameter<'short'>('short', (text) => text === 'short', {
        enum: ['short'],
        description: '`short` returns a `ShortResult` instead of each result: at most 300 bytes besides the URL',
        examples: ['short'],
      }),
    ),
  },
  { additionalProperties: true },
);

/** Formats a result for an answer. */
export type View = (result: CheckResult) => CheckResult | ShortResult;

/** Returns the requested view. */
export function viewOf({ view }: { readonly view?: 'short' }): View {
  return view === 'short' ? shortResult : (result) => result;
}
