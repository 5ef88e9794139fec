import { DAY_MS } from '#src/core/base/clock.ts';
import { fnvHash, mixHash } from '#src/core/base/fnv.ts';
import { logOddsOf, sigmoid } from '#src/core/base/log-odds.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { campaignSignal } from '#src/engine/analyzers/lists.ts';
import { reachesSuspicion } from '#src/engine/assess/assess.ts';
import { createCampaigns } from '#src/engine/campaigns/campaigns.ts';
import { decide } from '#src/engine/fusion/fuse.ts';
import type { FusionModel } from '#src/engine/fusion/model.ts';
import { type Calibration, calibratedLogOdds } from '#src/engine/lexical/model.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { brandsOf } from './brand-evidence.ts';
import { BASE_RATE } from './calibrate.ts';
import type { MeasuredRows } from './measure-folds.ts';

/** Models of the replay. */
export interface CampaignParts {
  readonly knowledge: Knowledge;
  readonly fusion: FusionModel;
  readonly calibration: Calibration;
}

/** A replayed check: a row with its time, and its log-odds without campaigns. */
interface ReplayedCheck {
  readonly target: Target;
  readonly isPhishing: boolean;
  readonly atMs: number;
  /** Distributes the rows of a day, and selects those that a smaller service sees. */
  readonly lot: number;
  readonly logOdds: number;
}

/** Results for the rows of one kind. */
interface Outcome {
  rows: number;
  withPath: number;
  withSignal: number;
  warned: number;
  blocked: number;
}

const NO_OBSERVATIONS = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });

/** One in this many rows is seen by the service. */
const SHARES = [1, 10, 100] as const;

/**
 * Replays the later rows by date as public checks of one service, each by a client in another network, and returns as
 * Markdown what campaigns add. Benign rows, which have the dates of their lists, are spread over the same days.
 */
export function describeCampaigns(later: MeasuredRows, parts: CampaignParts): string {
  const checks = asChecks(later, parts);
  const lines = SHARES.flatMap((share) => {
    const outcomes = replay(
      checks.filter(({ lot }) => lot % share === 0),
      parts,
    );
    return (['phishing', 'benign'] as const).map((kind) => {
      const { rows, withPath, withSignal, warned, blocked } = outcomes[kind];
      return `| ${share === 1 ? 'all' : `one in ${share}`} | ${kind} | ${[rows, withPath, withSignal, warned, blocked].join(' | ')} |`;
    });
  });
  return [
    'Campaigns: the later rows in time order, each submitted by another client, with and without `campaigns`:',
    [
      '| rows | kind | checks | with a path | with the signal | more warnings | more blocks |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      ...lines,
    ].join('\n'),
  ].join('\n\n');
}

function asChecks({ rows, scores }: MeasuredRows, { knowledge, fusion, calibration }: CampaignParts): ReplayedCheck[] {
  const days = rows.flatMap(({ phishing, date }) => (phishing ? [Date.parse(date)] : [])).filter(Number.isFinite);
  const first = days.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const span = 1 + (days.reduce((a, b) => Math.max(a, b), first) - first) / DAY_MS;
  const checks = rows.flatMap(({ canon, phishing: isPhishing, date }, index): ReplayedCheck[] => {
    const target = parseTarget(`http://${canon}`);
    const lot = mixHash(fnvHash(canon));
    const dayMs = isPhishing ? Date.parse(date) : first + (lot % span) * DAY_MS;
    if (isTargetProblem(target) || !Number.isFinite(dayMs)) return [];
    const { features } = brandsOf(target, knowledge);
    const ofBrands = features.reduce((sum, { name, value }) => sum + value * (fusion.weights[name]?.weight ?? 0), 0);
    const ofUrl = calibratedLogOdds(calibration, scores[index] ?? 0);
    const logOdds = logOddsOf(BASE_RATE) + ofUrl + ofBrands;
    return [{ target, isPhishing, atMs: dayMs + (lot % DAY_MS), lot: lot >>> 3, logOdds }];
  });
  return checks.sort((a, b) => a.atMs - b.atMs);
}

function replay(
  checks: readonly ReplayedCheck[],
  { knowledge, fusion }: CampaignParts,
): Record<'phishing' | 'benign', Outcome> {
  const campaigns = createCampaigns();
  const { thresholds, weights } = fusion;
  const none = (): Outcome => ({ rows: 0, withPath: 0, withSignal: 0, warned: 0, blocked: 0 });
  const outcomes = { phishing: none(), benign: none() };
  for (const [index, { target, isPhishing, atMs, logOdds }] of checks.entries()) {
    const subject = { target, observations: NO_OBSERVATIONS, knowledge };
    const outcome = outcomes[isPhishing ? 'phishing' : 'benign'];
    outcome.rows++;
    if (target.path !== '/') outcome.withPath++;
    const isSuspicious = reachesSuspicion(sigmoid(logOdds), thresholds);
    const signal = isSuspicious ? campaignSignal(campaigns.find(subject, atMs)) : null;
    campaigns.record({ ...subject, client: `client ${index}`, isSuspicious }, atMs);
    if (signal === null) continue;
    const before = decide(sigmoid(logOdds), thresholds);
    const after = decide(sigmoid(logOdds + signal.value * (weights[signal.name]?.weight ?? 0)), thresholds);
    outcome.withSignal++;
    if (before === 'allow' && after !== 'allow') outcome.warned++;
    if (before !== 'block' && after === 'block') outcome.blocked++;
  }
  return outcomes;
}
