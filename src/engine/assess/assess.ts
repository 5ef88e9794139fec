import type { Evidence } from '#src/engine/analyzers/analyzer.ts';
import { readBrands } from '#src/engine/analyzers/brand.ts';
import { ANALYZERS, type Component } from '#src/engine/analyzers/index.ts';
import { listsAnalyzer } from '#src/engine/analyzers/lists.ts';
import { judgePage } from '#src/engine/analyzers/page.ts';
import type { Assessment } from '#src/engine/fusion/assessment.ts';
import { counterfactual, decide } from '#src/engine/fusion/decide.ts';
import { type EvidenceByComponent, fuse, type Verdict } from '#src/engine/fusion/fuse.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { unwrap } from '#src/engine/unwrap/unwrap.ts';
import type { Target } from '#src/core/url/target.ts';
import { brandIdentity } from './brand-identity.ts';
import { coverageOf } from './coverage.ts';
import { isDoubtful } from './doubt.ts';
import { withLeastWarning } from './minimum-warning.ts';
import type { AssessSettings, Models } from './models.ts';
import { ofWrapped, spellingOf } from './spelling.ts';
import { type EvidenceReading, readStop } from './stop-evidence.ts';
import { hopsOf, type JudgedPages, passedPages, stopsOf } from './stops.ts';
import { toldOnce } from './told-once.ts';

/**
 * The engine: pure, and the one path of the API, the command line, training and a later re-scoring of records. The most
 * suspicious URL of all counts: the checked one, those wrapped inside it, and each that it leads to.
 *
 * @param pages the pages as judged, for a caller that had another thread do that.
 */
export function assess(
  target: Target,
  observations: Observations,
  models: Models,
  settings: AssessSettings,
  pages: JudgedPages = judgePages(target, observations, models),
): Assessment {
  const { knowledge } = models;
  const brands = readBrands(target, knowledge);
  const page = pages.landing;
  const subject = { target, observations, models, knowledge, page, brands, isDoubted: false };
  const evidence = new Map<Component, Evidence | null>();
  for (const analyzer of ANALYZERS) evidence.set(analyzer.component, analyzer.analyze(subject));
  const inner = unwrap(target);
  const wrapped = inner.map((one) => {
    const { brands: inside, spelling } = spellingOf(one, subject);
    const said = spelling.map(([component, found]) => [component, found && ofWrapped(found, one)] as const);
    return { said, brands: inside, host: one.host };
  });
  const way = evidence.get('redirects') ?? null;
  const stops = stopsOf(target, observations, pages).map((stop) => ({
    ...stop,
    ...readStop(stop, observations, models, way),
  }));
  const fused = (one: EvidenceByComponent) => fuse(one, models.fusion, settings.baseRate);
  const verdictOf = ({ evidence: found, ...about }: EvidenceReading) =>
    toldOnce(withLeastWarning(fused(found), { ...about, knowledge, models }, settings.thresholds), settings.thresholds);
  // What the wrapper's host, page and so on showed holds for the inner URL as well; the most suspicious reading counts.
  const weigh = (): Weighed => {
    const own = { target, host: target.host, observations, brands, page };
    let worst: Weighed = { ...own, verdict: verdictOf({ ...own, evidence }) };
    const readings = wrapped.map(
      ({ said, brands: inside, host }): EvidenceReading => ({
        ...own,
        host,
        brands: inside,
        evidence: new Map([...evidence, ...said]),
      }),
    );
    for (const reading of [...readings, ...stops.flatMap(({ whole }) => whole)]) {
      const verdict = verdictOf(reading);
      if (verdict.logOdds > worst.verdict.logOdds) worst = { ...reading, verdict };
    }
    return worst;
  };
  const withoutOthers = weigh();
  const isDoubted = isDoubtful(withoutOthers.verdict.probability, settings.thresholds);
  const hasOthers = isDoubted && observations.campaign?.state === 'observed';
  if (hasOthers) evidence.set('lists', listsAnalyzer.analyze({ ...subject, isDoubted }));
  const { verdict, ...meant } = hasOthers ? weigh() : withoutOthers;
  const scoreOf = (url: string | null) => {
    const stop = stops.find((one) => one.target.url === url);
    return stop ? Math.max(...stop.alone.map((one) => fused(one).probability)) : null;
  };
  return {
    verdict,
    decision: decide(verdict.probability, settings.thresholds),
    decidingHost: meant.host.text,
    thresholds: settings.thresholds,
    counterfactual: counterfactual(verdict, settings.thresholds),
    brand: brandIdentity(meant.brands, meant.page),
    unwrappedUrls: inner.map(({ url }) => url),
    hops: hopsOf(observations).map((hop) => {
      const probability = scoreOf(hop.location);
      return { ...hop, probability, decision: probability === null ? null : decide(probability, settings.thresholds) };
    }),
    coverage: coverageOf(observations, page),
    modelVersion: models.version,
    isDoubted,
  };
}

/** A verdict, and what it is about. */
interface Weighed extends Omit<EvidenceReading, 'evidence'> {
  readonly verdict: Verdict;
}

function judgePages(target: Target, observations: Observations, { knowledge, ownBrands }: Models): JudgedPages {
  return {
    landing: judgePage({ target, observations, knowledge }, ownBrands),
    passed: passedPages(target, observations).map((one) => judgePage({ ...one, knowledge }, ownBrands)),
  };
}
