import { campaignSign } from '#src/engine/analyzers/campaign-sign.ts';
import { isDoubtful } from '#src/engine/assess/doubt.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { fnvHash, mixHash } from '#src/core/base/fnv.ts';
import { logOddsOf, sigmoid } from '#src/core/base/log-odds.ts';
import { createCampaigns } from '#src/engine/campaigns/campaigns.ts';
import { decide } from '#src/engine/fusion/decide.ts';
import type { FusionModel } from '#src/engine/fusion/model.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { unobserved } from '#src/network/probes/observations.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { brandsOf } from './brand-evidence.ts';
import { BASE_RATE } from './calibrate.ts';
import type { MeasuredRows } from './measure-folds.ts';
import type { Calibration } from './platt.ts';

/** What the measurement weighs by. */
export interface CampaignParts {
  readonly knowledge: Knowledge;
  readonly fusion: FusionModel;
  readonly calibration: Calibration;
}

/** One check of the play: a row at its time, and what the engine says of it without campaigns. */
interface Played {
  readonly target: Target;
  readonly isPhishing: boolean;
  readonly atMs: number;
  /** Spreads rows of one day, and decides which a smaller box sees. */
  readonly lot: number;
  readonly logOdds: number;
}

/** What came of the rows of one kind. */
interface Outcome {
  rows: number;
  withPath: number;
  withSign: number;
  warned: number;
  blocked: number;
}

const NOTHING_SEEN = unobserved('disabled', { state: 'skipped', reason: 'disabled' });

/** Of so many rows a box sees one. */
const SHARES = [1, 10, 100] as const;

/**
 * Plays the later rows in the order of their days as public checks of one box, each by a client from another network, and
 * tells as Markdown what campaigns add. Benign rows, whose days are those of their lists, are strewn over the same days.
 */
export function describeCampaigns(later: MeasuredRows, parts: CampaignParts): string {
  const checks = asChecks(later, parts);
  const lines = SHARES.flatMap((share) => {
    const outcomes = play(
      checks.filter(({ lot }) => lot % share === 0),
      parts,
    );
    return (['phishing', 'benign'] as const).map((kind) => {
      const { rows, withPath, withSign, warned, blocked } = outcomes[kind];
      return `| ${share === 1 ? 'all' : `one in ${share}`} | ${kind} | ${[rows, withPath, withSign, warned, blocked].join(' | ')} |`;
    });
  });
  return [
    'Campaigns: the later rows in the order of their days, each asked by another client, with `campaigns` and without:',
    [
      '| rows | kind | checks | with a path | with the sign | more warned of | more blocked |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      ...lines,
    ].join('\n'),
  ].join('\n\n');
}

function asChecks({ rows, scores }: MeasuredRows, { knowledge, fusion, calibration }: CampaignParts): Played[] {
  const days = rows.flatMap(({ phishing, date }) => (phishing ? [Date.parse(date)] : [])).filter(Number.isFinite);
  const first = days.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const span = 1 + (days.reduce((a, b) => Math.max(a, b), first) - first) / DAY_MS;
  const checks = rows.flatMap(({ canon, phishing: isPhishing, date }, index): Played[] => {
    const target = parseTarget(`http://${canon}`);
    const lot = mixHash(fnvHash(canon));
    const dayMs = isPhishing ? Date.parse(date) : first + (lot % span) * DAY_MS;
    if (isTargetProblem(target) || !Number.isFinite(dayMs)) return [];
    const { features } = brandsOf(target, knowledge);
    const ofBrands = features.reduce((sum, { name, value }) => sum + value * (fusion.weights[name]?.weight ?? 0), 0);
    const ofUrl = calibration.slope * (scores[index] ?? 0) + calibration.offset;
    const logOdds = logOddsOf(BASE_RATE) + ofUrl + ofBrands;
    return [{ target, isPhishing, atMs: dayMs + (lot % DAY_MS), lot: lot >>> 3, logOdds }];
  });
  return checks.sort((a, b) => a.atMs - b.atMs);
}

function play(checks: readonly Played[], { knowledge, fusion }: CampaignParts): Record<'phishing' | 'benign', Outcome> {
  const campaigns = createCampaigns();
  const { thresholds, weights } = fusion;
  const none = (): Outcome => ({ rows: 0, withPath: 0, withSign: 0, warned: 0, blocked: 0 });
  const outcomes = { phishing: none(), benign: none() };
  for (const [index, { target, isPhishing, atMs, logOdds }] of checks.entries()) {
    const subject = { target, observations: NOTHING_SEEN, knowledge };
    const outcome = outcomes[isPhishing ? 'phishing' : 'benign'];
    outcome.rows++;
    if (target.path !== '/') outcome.withPath++;
    const isDoubted = isDoubtful(sigmoid(logOdds), thresholds);
    const sign = isDoubted ? campaignSign(campaigns.look(subject, atMs)) : null;
    campaigns.learn({ ...subject, client: `client ${index}`, isDoubted }, atMs);
    if (sign === null) continue;
    const before = decide(sigmoid(logOdds), thresholds);
    const after = decide(sigmoid(logOdds + sign.value * (weights[sign.name]?.weight ?? 0)), thresholds);
    outcome.withSign++;
    if (before === 'allow' && after !== 'allow') outcome.warned++;
    if (before !== 'block' && after === 'block') outcome.blocked++;
  }
  return outcomes;
}
