import type { Target } from '#src/core/url/target.ts';
import type { Assessment } from '#src/engine/fusion/fuse.ts';
import type { Observation, Observations } from '#src/network/probes/observations.ts';
import { assess } from './assess.ts';
import type { AssessSettings, Models } from './settings.ts';
import { NO_PAGES } from './stops.ts';

/** Assesses a target of which no page was read, or returns its assessment if it is remembered. */
export type AssessmentMemory = (
  target: Target,
  observations: Observations,
  models: Models,
  settings: AssessSettings,
) => Assessment;

/** Assessments in each of two generations; one takes about 6 kB. */
const MAX_REMEMBERED = 1024;
/** Maximum length of a remembered URL, in UTF-16 code units. */
const MAX_REMEMBERED_URL = 512;

/**
 * Creates an empty memory for targets of which nothing was looked up, and that no list covers: equal canonical URLs get the same
 * assessment until the models or the settings are others. An answer comes sooner if its URL is remembered, so public and
 * private checks must not share a memory.
 */
export function createAssessmentMemory(): AssessmentMemory {
  let by: readonly [Models, AssessSettings] | null = null;
  let young = new Map<string, Assessment>();
  let old = new Map<string, Assessment>();

  function remember(key: string, assessment: Assessment): Assessment {
    if (young.size >= MAX_REMEMBERED) {
      old = young;
      young = new Map();
    }
    young.set(key, assessment);
    return assessment;
  }

  return (target, observations, models, settings) => {
    const now = () => assess(target, observations, models, settings, NO_PAGES);
    const key = keyOf(target, observations);
    if (key === null) return now();
    if (by?.[0] !== models || by[1] !== settings) {
      by = [models, settings];
      young = new Map();
      old = new Map();
    }
    return young.get(key) ?? remember(key, old.get(key) ?? now());
  };
}

/** Returns the key under which an assessment is remembered; null if something was observed of the URL. */
function keyOf({ url }: Target, seen: Observations): string | null {
  const { lists, page, dns, registration, certificate, landing, campaign, hopLists } = seen;
  if (url.length > MAX_REMEMBERED_URL || landing !== null || campaign || hopLists?.length) return null;
  if (![page, dns, registration, certificate].every(isOff)) return null;
  if (lists.state !== 'observed') return isOff(lists) ? url : null;
  const { blocked, allowed, kept = [], inside = [] } = lists.value;
  return blocked || allowed || kept.length + inside.length > 0 ? null : ` ${url}`;
}

function isOff(one: Observation<unknown>): boolean {
  return one.state === 'skipped' && one.reason === 'disabled';
}
