import { setImmediate } from 'node:timers/promises';
import { withConfiguredBrands } from '#src/admin/active/models.ts';
import type { Models, VerdictSettings } from '#src/engine/assess/settings.ts';
import { createComparison } from '#src/parts/tuning/models/compare-models.ts';
import { changesMade, type Rescored, rescoreAll, type StoredChecks } from '#src/parts/tuning/rescore/rescore.ts';
import type { FoundModel } from './models.ts';

/** Verdicts of two models, and the versions of the models. */
export interface Comparison extends Rescored {
  readonly versions: readonly [now: string, other: string];
}

/** Compares a model with the active ones on stored checks. Each step takes milliseconds; together they would keep requests waiting. */
export async function compareModel(
  now: Models,
  models: FoundModel['models'],
  settings: VerdictSettings,
  checks: StoredChecks,
): Promise<Comparison> {
  await setImmediate();
  const other = withConfiguredBrands(models, now.configuredBrands);
  await setImmediate();
  const rescored = await rescoreAll(checks, createComparison(now, other, settings));
  return { ...rescored, versions: [now.version, other.version] };
}

/** Returns a comparison as programs read it. */
export function comparisonRow({ versions: [now, other], judged, unread, changed, ...made }: Comparison) {
  const changes = changesMade(made).map((one) => [`${one.was} → ${one.now}`, one.checks] as const);
  return {
    ...{ now, other, compared: judged, unread },
    changes: Object.fromEntries(changes.toSorted()),
    changed: changed.map(({ check: { url, request_id }, ...pair }) => ({
      ...{ request_id, url, now: pair.was, other: pair.now },
    })),
  };
}
