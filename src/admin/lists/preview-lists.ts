import { setImmediate } from 'node:timers/promises';
import { assess } from '#src/engine/assess/assess.ts';
import type { Decision } from '#src/engine/fusion/decide.ts';
import type { PreparedLists } from './change-lists.ts';
import { openList } from '#src/network/lists/stored/stored-list.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { unobserved } from '#src/network/probes/observations.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { type AllAtWellKnown, atWellKnownSites } from './popular-site-hits.ts';
import { openWellKnownSites } from '#src/admin/active/models.ts';
import { createJudgeAgain, type JudgeAgain, type Today } from '#src/admin/rescore/rescore-check.ts';

/** Other work of a service goes on after so many sites. */
const SITES_AT_ONCE = 100;

/** A site of which another thing would be said. */
export interface SiteChanged {
  readonly url: string;
  readonly was: Decision;
  readonly now: Decision;
}

/** What a change of the lists would have changed. */
export interface ListsPreview {
  /** What would have been said of a check that is kept, and what it is by the lists in force. */
  readonly judge: JudgeAgain;
  /**
   * How many well-known sites there are, those of which another thing would be said by their address alone, and what lies at
   * one of them of the lists that are to change: the first `most`.
   */
  wellKnown(most: number): Promise<{
    readonly sites: number;
    readonly changed: readonly SiteChanged[];
    readonly at: AllAtWellKnown;
  }>;
}

/** Opens what is to be in force beside what is. Throws a SettingsError where one of the lists cannot be read. */
export async function previewLists(
  dataDir: string,
  prepared: Pick<PreparedLists, 'now' | 'next'>,
  today: Today,
  nowMs: number,
): Promise<ListsPreview> {
  const kept = await Promise.all(prepared.next.map((version) => openList(dataDir, version, today.lists.kept)));
  const next: LocalLists = { ...today.lists, kept };
  const isAffected = (target: Target) =>
    !Bun.deepEquals(observeLists(today.lists, target, nowMs), observeLists(next, target, nowMs));
  const [before, after] = [createJudgeAgain(today), createJudgeAgain({ ...today, lists: next })];
  const decisionBy = (lists: LocalLists, target: Target): Decision =>
    assess(target, unobserved('disabled', observeLists(lists, target, nowMs)), today.models, today.settings).decision;
  return {
    judge(result) {
      const target = parseTarget(result.analysis_details.normalized_url);
      if (isTargetProblem(target)) return null;
      const said = { probability: result.malicious_probability, decision: result.decision };
      if (!isAffected(target)) return { was: said, now: said, because: 'lists', reason: null };
      const [was, now] = [before(result), after(result)];
      return was && now && { ...now, was: was.now };
    },
    async wellKnown(most) {
      const sites = await openWellKnownSites();
      const changed: SiteChanged[] = [];
      for (const [index, site] of sites.entries()) {
        if (index % SITES_AT_ONCE === 0) await setImmediate();
        const target = parseTarget(`https://www.${site}/`);
        if (isTargetProblem(target) || !isAffected(target)) continue;
        const [was, now] = [decisionBy(today.lists, target), decisionBy(next, target)];
        if (was !== now) changed.push({ url: target.url, was, now });
      }
      const inForce = new Set(prepared.now.lists.map(({ sha256 }) => sha256));
      const others = prepared.next.filter(({ sha256 }) => !inForce.has(sha256));
      const at = await atWellKnownSites(dataDir, others, sites, today.models.knowledge, most);
      return { sites: sites.length, changed, at };
    },
  };
}
