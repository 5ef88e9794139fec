import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Component } from '#src/engine/analyzers/index.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { AssessSettings, Models } from '#src/engine/assess/settings.ts';
import { formFingerprint } from '#src/engine/campaigns/traits.ts';
import type { Coverage } from '#src/engine/fusion/fuse.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { NEUTRAL_URL, type PageRow, readPageRows } from '../data/page-rows.ts';

/** Scores of one page: log-odds (nats) of each component, and the features found. */
export interface PageScores {
  readonly logOdds: Readonly<Partial<Record<Component, number>>>;
  readonly features: readonly string[];
  readonly coverage: Coverage;
}

/** Share of phishing pages that a scoring method detects. Shares are in [0, 1]. */
export interface PageDetection {
  readonly name: string;
  /** Log-odds above which a page counts as detected. */
  readonly threshold: number;
  /** Detected share of the phishing pages that ask for a password, by collection. */
  readonly bySource: Readonly<Record<string, number>>;
  /** Mean over the collections. */
  readonly mean: number;
}

/** Frequency of a feature. */
export interface FeatureRate {
  readonly phishing: number;
  readonly benignLogin: number;
  readonly benign: number;
}

/** Number of pages with a form by which campaigns can be recognized. */
export interface FormRate {
  readonly recognizable: number;
  /** Number of these whose form is also on another site. */
  readonly shared: number;
}

export interface PageBenchmark {
  readonly counts: { readonly phishing: number; readonly benign: number; readonly benignLogin: number };
  readonly detection: readonly PageDetection[];
  readonly rates: Readonly<Record<string, FeatureRate>>;
  readonly forms: { readonly phishing: FormRate; readonly benignLogin: FormRate };
}

export interface PageBenchmarkParts {
  /** File of labelled pages, see `page-rows.ts`. */
  readonly file: string;
  readonly score: (target: Target, observations: Observations) => PageScores;
  /** Called with each line of the report. */
  readonly log: (line: string) => void;
}

/** Maximum share of false alarms, on all benign pages and on those that ask for a password. */
const MAX_FALSE_ALARMS = { all: 0.01, login: 0.03 };

const VIEWS: readonly { readonly name: string; readonly sum: (logOdds: PageScores['logOdds']) => number }[] = [
  { name: 'page and brand alone', sum: ({ page = 0, brand = 0 }) => page + brand },
  { name: 'all but the URL', sum: ({ url = 0, ...rest }) => total(rest) },
  { name: 'everything', sum: total },
];

/** Scores pages as a check does. */
export function createPageScorer(models: Models, settings: AssessSettings) {
  return (target: Target, observations: Observations): PageScores => {
    const { verdict, coverage } = assess(target, observations, models, settings);
    const { contributions } = verdict;
    const logOdds: Partial<Record<Component, number>> = {};
    for (const { component, weight } of contributions) logOdds[component] = (logOdds[component] ?? 0) + weight;
    return { logOdds, features: [...new Set(contributions.map(({ code }) => code))], coverage };
  };
}

/** Scores labelled pages, and reports the detection at a bounded share of false alarms. */
export async function evaluatePages({ file, score, log }: PageBenchmarkParts): Promise<PageBenchmark> {
  const scored = (await readPageRows(file)).map((row) => scoreRow(row, score));
  const phishing = scored.filter(({ row, asksPassword }) => row.isPhishing && asksPassword);
  const benign = scored.filter(({ row }) => !row.isPhishing);
  const login = benign.filter(({ asksPassword }) => asksPassword);
  const counts = { phishing: phishing.length, benign: benign.length, benignLogin: login.length };
  log(
    `pages: ${counts.phishing} phishing that ask for a password, ${counts.benign} benign, ${counts.benignLogin} of them logins`,
  );

  const detection = VIEWS.map(({ name, sum }): PageDetection => {
    const scores = (pages: readonly ScoredPage[]) => pages.map(({ scores }) => sum(scores.logOdds));
    const threshold = Math.max(
      exceededBy(scores(benign), MAX_FALSE_ALARMS.all),
      exceededBy(scores(login), MAX_FALSE_ALARMS.login),
    );
    const bySource = Object.fromEntries(
      [...Map.groupBy(phishing, ({ row }) => row.source)].map(([source, pages]) => [
        source,
        scores(pages).filter((score) => score > threshold).length / pages.length,
      ]),
    );
    const shares = Object.values(bySource);
    const mean = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
    const each = Object.entries(bySource).map(([source, share]) => `${source} ${percent(share)}`);
    log(`${name}: ${percent(mean)} found above ${threshold.toFixed(2)} (${each.join(', ')})`);
    return { name, threshold, bySource, mean };
  });

  const names = [...new Set(scored.flatMap(({ scores }) => scores.features))].sort();
  const share = (pages: readonly ScoredPage[], name: string) =>
    pages.filter(({ scores }) => scores.features.includes(name)).length / Math.max(1, pages.length);
  const rates = Object.fromEntries(
    names.map((name) => [
      name,
      { phishing: share(phishing, name), benignLogin: share(login, name), benign: share(benign, name) },
    ]),
  );
  for (const [name, rate] of Object.entries(rates)) {
    log(
      `${name}: ${percent(rate.phishing)} of phishing, ${percent(rate.benignLogin)} of benign logins, ${percent(rate.benign)} of benign`,
    );
  }
  const notFull = benign.filter(({ scores }) => scores.coverage !== 'full').length / Math.max(1, benign.length);
  log(`coverage other than full: ${percent(notFull)} of benign`);
  const forms = { phishing: formRate(phishing), benignLogin: formRate(login) };
  const { phishing: ofPhishing, benignLogin } = forms;
  log(
    `forms that campaigns are known by: ${ofPhishing.recognizable} of phishing, ${ofPhishing.shared} of them on several sites; ${benignLogin.recognizable} of benign logins, ${benignLogin.shared} on several`,
  );
  return { counts, detection, rates, forms };
}

function formRate(pages: readonly ScoredPage[]): FormRate {
  const known = pages.filter(({ form }) => form !== null);
  const groups = [...Map.groupBy(known, ({ form }) => form).values()];
  const shared = groups.filter((group) => new Set(group.map(({ site }) => site)).size > 1);
  return { recognizable: known.length, shared: shared.reduce((sum, group) => sum + group.length, 0) };
}

interface ScoredPage {
  readonly row: PageRow;
  readonly asksPassword: boolean;
  /** The page's id if its address is unknown. */
  readonly site: string;
  readonly form: string | null;
  readonly scores: PageScores;
}

function scoreRow(row: PageRow, score: PageBenchmarkParts['score']): ScoredPage {
  const target = parseTarget(row.url);
  if (isTargetProblem(target)) throw new Error(`${row.id}: ${target.message}`);
  const bytes = new TextEncoder().encode(row.html);
  const document = readPage(bytes, { contentType: 'text/html; charset=utf-8', url: target.requestUrl });
  const value = visitOf(target, { contentLength: bytes.length, document });
  const observations = {
    ...skippedObservations('not_applicable', { state: 'skipped', reason: 'disabled' }),
    page: { state: 'observed', value, elapsedMs: 0 },
  } as const;
  return {
    row,
    asksPassword: asksPassword(document),
    site: row.url === NEUTRAL_URL ? row.id : target.host.site,
    form: formFingerprint(observations),
    scores: score(target, observations),
  };
}

function asksPassword(document: PageDocument): boolean {
  return document.forms.some((form) => form.fields.some((field) => field.kind === 'password'));
}

/** Returns the lowest score that at most `share` of the scores exceed. */
function exceededBy(scores: readonly number[], share: number): number {
  return scores.toSorted((a, b) => b - a)[Math.floor(share * scores.length)] ?? 0;
}

function total(logOdds: PageScores['logOdds']): number {
  return Object.values(logOdds).reduce((sum, value) => sum + value, 0);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
