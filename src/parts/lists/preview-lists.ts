import { setImmediate } from 'node:timers/promises';
import type { Static } from '@sinclair/typebox';
import { openPopularSites } from '#src/admin/active/models.ts';
import type { PreviewView, ScoringContext } from '#src/admin/active/scoring-context.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { Decision } from '#src/engine/fusion/fuse.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import { whyHeldBack } from '#src/network/lists/stored/quarantine-text.ts';
import { openList } from '#src/network/lists/stored/stored-list.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { latestChecks, type Rescored, rescoreAll } from '#src/parts/tuning/rescore/rescore.ts';
import { createPairScorer, type RescoreCheck } from '#src/parts/tuning/rescore/rescore-check.ts';
import type { PreviewedChangeSchema } from '#src/service/server/admin/preview-answer.ts';
import type { PreparedLists } from './change-lists.ts';
import type { ListChanged } from './list-change.ts';
import type { PopularSiteHit, PopularSiteHits } from './popular-site-hits.ts';
import { workOnLists } from './thread/work-on-lists.ts';

/** Maximum number of entries at popular sites that a preview names. */
export const MAX_POPULAR = 10;

/** Effect of a change on the verdicts of the latest public checks. */
export interface PreviewedVerdicts {
  readonly rescored: Rescored;
  /** Number of entries of the changed lists. */
  readonly entries: number;
  /** New entries at popular sites; none by default. */
  readonly popular?: {
    readonly first: readonly Pick<PopularSiteHit, 'entry' | 'site'>[];
    readonly count: number;
  };
  /** The changed lists; none by default. */
  readonly changed?: readonly ListChanged[];
}

/** Returns the effect of prepared lists. */
export async function previewChange(
  lists: PreparedLists,
  { dataDir, scoring, log }: PreviewView,
): Promise<PreviewedVerdicts> {
  const { score } = await previewLists(dataDir, lists, scoring(), systemClock.now());
  const rescored = await rescoreAll(latestChecks(log), score);
  const popular = await popularHitsOf(dataDir, lists, MAX_POPULAR);
  const entries = lists.changed.reduce((sum, list) => sum + list.entries, 0);
  return { rescored, popular, changed: lists.changed, entries };
}

/** Number of sites after which the event loop gets a turn. */
const SITES_AT_ONCE = 25;

/** A site whose decision would change. */
export interface SiteChanged {
  readonly url: string;
  readonly was: Decision;
  readonly now: Decision;
}

/** Effect that a change of the lists would have. */
export interface ListsPreview {
  /** Compares the decision on a stored check under the active and the new lists. */
  readonly score: RescoreCheck;
  /**
   * Number of popular sites, those whose decision by URL alone would change, and the new entries of changed lists at one of them: the
   * first `most`.
   */
  popularSites(most: number): Promise<{
    readonly sites: number;
    readonly changed: readonly SiteChanged[];
    readonly at: PopularSiteHits;
  }>;
}

/** Opens the new lists beside the active ones. Throws an OperationError if one of them cannot be read. */
export async function previewLists(
  dataDir: string,
  prepared: Pick<PreparedLists, 'now' | 'next'>,
  context: ScoringContext,
  nowMs: number,
): Promise<ListsPreview> {
  const stored = await Promise.all(prepared.next.map((version) => openList(dataDir, version, context.lists.stored)));
  const next: LocalLists = { ...context.lists, stored };
  const isAffected = (target: Target) =>
    !Bun.deepEquals(observeLists(context.lists, target, nowMs), observeLists(next, target, nowMs));
  const scoreBoth = createPairScorer(context, { ...context, lists: next });
  const decisionBy = (lists: LocalLists, target: Target): Decision =>
    assess(
      target,
      skippedObservations('disabled', observeLists(lists, target, nowMs)),
      context.models,
      context.settings,
    ).decision;
  return {
    score(result) {
      const target = parseTarget(result.analysis_details.normalized_url);
      if (isTargetProblem(target)) return null;
      const said = { probability: result.malicious_probability, decision: result.decision };
      return isAffected(target) ? scoreBoth(result) : { was: said, now: said, because: 'lists', reason: null };
    },
    async popularSites(most) {
      const sites = await openPopularSites();
      const changed: SiteChanged[] = [];
      for (const [index, site] of sites.entries()) {
        if (index % SITES_AT_ONCE === 0) await setImmediate();
        const target = parseTarget(`https://www.${site}/`);
        if (isTargetProblem(target) || !isAffected(target)) continue;
        const [was, now] = [decisionBy(context.lists, target), decisionBy(next, target)];
        if (was !== now) changed.push({ url: target.url, was, now });
      }
      return { sites: sites.length, changed, at: await popularHitsOf(dataDir, prepared, most) };
    },
  };
}

/** Returns the new entries of changed lists at popular sites: the first `most`. */
export async function popularHitsOf(
  dataDir: string,
  { now: { lists }, next }: Pick<PreparedLists, 'now' | 'next'>,
  most: number,
): Promise<PopularSiteHits> {
  const active = new Set(lists.map(({ sha256 }) => sha256));
  const versions = next.filter(({ sha256 }) => !active.has(sha256));
  return await workOnLists('popularSiteHits', { versions }, dataDir, versions, lists, most);
}

const PREVIEWED_CHANGE = {
  preview: {
    checked: 10_000,
    changed: 1,
    newly_blocked: 1,
    newly_allowed: 0,
    popular_hits: 0,
    examples: [
      { url: 'http://paypal.com.verify.example/', host: 'paypal.com.verify.example', before: 'warn', after: 'block' },
    ],
    invalid_lines: [],
    entries: 0,
  },
} satisfies Static<typeof PreviewedChangeSchema>;

/** Text of the effect of a change in the API document. */
export const PREVIEWED = {
  description: 'With `preview=true`: the effect; nothing was changed.',
  example: PREVIEWED_CHANGE,
};

const MAX_EXAMPLES = 20;

/** Describes the effect of a change. */
export function previewOf({
  rescored,
  entries,
  popular = { first: [], count: 0 },
  changed = [],
}: PreviewedVerdicts): Static<typeof PreviewedChangeSchema> {
  const counts = Array.from(rescored.changes, ([change, checks]) => ({ after: change.split(' ').at(-1), checks }));
  const sum = (some: typeof counts) => some.reduce((total, { checks }) => total + checks, 0);
  return {
    preview: {
      checked: rescored.judged,
      changed: sum(counts),
      newly_blocked: sum(counts.filter(({ after }) => after === 'block')),
      newly_allowed: sum(counts.filter(({ after }) => after === 'allow')),
      popular_hits: popular.count,
      ...(popular.count > 0 && { popular: popular.first.map(({ entry, site }) => ({ entry, site })) }),
      examples: rescored.changed.slice(0, MAX_EXAMPLES).map(({ check: { url }, was, now }) => ({
        ...{ url, host: URL.parse(url)?.hostname ?? '', before: was.decision, after: now.decision },
      })),
      ...listEffect(changed),
      entries,
    },
  };
}

/** Describes what a change does to the content of lists, besides its entries that are applied. */
function listEffect(changed: readonly ListChanged[]) {
  const sum = (count: (one: ListChanged) => number) => changed.reduce((total, one) => total + count(one), 0);
  const heldBack = changed.flatMap(({ quarantinedEntries }) => quarantinedEntries);
  const leftOut = changed.flatMap((one) => one.leftOut);
  const removed = sum((one) => one.removed);
  const isContent = changed.some(({ what }) => what === 'import' || what === 'add');
  return {
    invalid_lines: changed
      .flatMap(({ unread, skipped }) => [...unread.first, ...skipped.first])
      .map(({ line, message }) => ({ line, text: '', reason: message })),
    ...(heldBack.length > 0 && {
      held_back: heldBack.map(({ entry, line, why }) => ({ entry, line, code: why, reason: whyHeldBack(why) })),
    }),
    ...(leftOut.length > 0 && { left_out: leftOut.map(({ entry, line, why: code }) => ({ entry, line, code })) }),
    ...(isContent && {
      omitted: {
        held_back: sum(({ newlyQuarantined }) => newlyQuarantined),
        invalid: sum(({ unread, skipped }) => unread.count + skipped.count),
        expired: sum(({ expired }) => expired),
        duplicates: sum(({ repeated }) => repeated),
      },
    }),
    ...(removed > 0 && { removed: { count: removed, first: changed.flatMap((one) => one.removedEntries) } }),
  };
}
