import { sql } from 'drizzle-orm';
import { checks, inForce } from '../file/schema.ts';

/** The version of the models, of the row that was active for a check. */
export const MODEL_VERSION = sql<string | null>`json_extract(${inForce.settings}, '$.model_version')`;

/** What the history shows and filters by: columns of the checks, joined with what was active. */
export const SUMMARY_COLUMNS = {
  id: checks.id,
  requestId: checks.requestId,
  url: checks.url,
  probability: checks.probability,
  decision: checks.decision,
  coverage: checks.coverage,
  caution: checks.caution,
  modelVersion: MODEL_VERSION,
};
