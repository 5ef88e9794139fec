import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { CoverageSchema, DecisionSchema } from '#src/checks/record/check-result.ts';
import { resultOfRow } from '#src/checks/store/read/result-row.ts';
import { parseAs } from '#test/support/parse-as.ts';

/**
 * Rows as version 0.1 stored them, reasons about other URLs among them as sentences, with the SHA-256 of the codes and
 * args of their reasons.
 */
const ROWS = parseAs(
  Type.Array(
    Type.Object({
      requestId: Type.String(),
      decision: DecisionSchema,
      probability: Type.Number(),
      coverage: CoverageSchema,
      caution: Type.Boolean(),
      host: Type.Union([Type.String(), Type.Null()]),
      url: Type.String(),
      settings: Type.String(),
      record: Type.String(),
      answer: Type.String(),
    }),
  ),
  await Bun.file(`${import.meta.dir}/stored-rows.json`).json(),
);

const sha256 = (value: unknown) => new Bun.CryptoHasher('sha256').update(JSON.stringify(value)).digest('hex');

/** Columns that earlier versions did not have. */
const OLDER = { via: null, list: null, entry: null, listOwner: null };

test('returns the reasons of rows of an earlier version unchanged', () => {
  expect(ROWS.length).toBeGreaterThan(50);
  for (const { answer, record, ...row } of ROWS) {
    const { analysis_details: details } = resultOfRow({ ...row, ...OLDER, record: Buffer.from(record, 'base64') });
    const reasons = details?.reasons.map(({ code, args }) => [code, args]);
    expect([row.requestId, sha256([reasons, details?.counterfactual_reason])]).toEqual([row.requestId, answer]);
  }
});
