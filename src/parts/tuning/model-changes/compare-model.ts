import { setImmediate } from 'node:timers/promises';
import { withConfiguredBrands } from '#src/admin/active/models.ts';
import type { Models } from '#src/engine/assess/models.ts';
import type { VerdictSettings } from '#src/engine/assess/settings.ts';
import { createComparison } from '#src/parts/tuning/models/compare-models.ts';
import { type Comparison, compareChecks } from '#src/parts/tuning/models/comparison.ts';
import type { FoundModel } from './find-model.ts';

/** Compares a model with the active ones on stored checks. Each step takes milliseconds; together they would keep requests waiting. */
export async function compareModel(
  now: Models,
  models: FoundModel['models'],
  settings: VerdictSettings,
  checks: Parameters<typeof compareChecks>[1],
): Promise<Comparison> {
  await setImmediate();
  const other = withConfiguredBrands(models, now.configuredBrands);
  await setImmediate();
  const score = createComparison(now, other, settings);
  return await compareChecks([now.version, other.version], checks, score, setImmediate);
}
