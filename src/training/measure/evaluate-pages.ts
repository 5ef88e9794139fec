import type { Component } from '#src/engine/analyzers/index.ts';
import { formPrint } from '#src/engine/campaigns/form-fingerprint.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { type Observations, unobserved } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { NEUTRAL_URL, type PageRow, readPageRows } from '../data/page-rows.ts';

/** What the engine says of one page: log-odds (nats) of each component, and the features that it saw. */
export interface PageJudgement {
  readonly logOdds: Readonly<Partial<Record<Component, number>>>;
  readonly features: readonly string[];
}

/** How well a way of judging tells phishing pages from others. Shares are in [0, 1]. */
export interface PageDetection {
  readonly name: string;
  /** Log-odds above which a page counts as found. */
  readonly threshold: number;
  /** MeasuredShare found of the phishing pages that ask for a password, by collection. */
  readonly bySource: Readonly<Record<string, number>>;
  /** The mean over the collections. */
  readonly mean: number;
}

/** How often a feature is seen. */
export interface FeatureRate {
  readonly phishing: number;
  readonly benignLogin: number;
  readonly benign: number;
}

/** How many pages have a form by which campaigns would be known. */
export interface FormRate {
  readonly known: number;
  /** How many of these have the form of another site's page. */
  readonly shared: number;
}

export interface PageBenchmark {
  readonly counts: { readonly phishing: number; readonly benign: number; readonly benignLogin: number };
  readonly detection: readonly PageDetection[];
  readonly rates: Readonly<Record<string, FeatureRate>>;
  readonly forms: { readonly phishing: FormRate; readonly benignLogin: FormRate };
}

export interface PageBenchmarkParts {
  /** Labelled pages, see `page-rows.ts`. */
  readonly file: string;
  readonly judge: (target: Target, observations: Observations) => PageJudgement;
  /** Told each line of the report. */
  readonly log: (line: string) => void;
}

/** Highest share of false alarms, on all benign pages and on those that ask for a password. */
const MAX_FALSE_ALARMS = { all: 0.01, login: 0.03 };

const VIEWS: readonly { readonly name: string; readonly sum: (logOdds: PageJudgement['logOdds']) => number }[] = [
  { name: 'page and brand alone', sum: ({ page = 0, brand = 0 }) => page + brand },
  { name: 'all but the URL', sum: ({ url = 0, ...rest }) => total(rest) },
  { name: 'everything', sum: total },
];

/** Judges labelled pages, and reports what is found at a bounded share of false alarms. */
export async function evaluatePages({ file, judge, log }: PageBenchmarkParts): Promise<PageBenchmark> {
  const judged = (await readPageRows(file)).map((row) => judgeRow(row, judge));
  const phishing = judged.filter(({ row, asksPassword }) => row.isPhishing && asksPassword);
  const benign = judged.filter(({ row }) => !row.isPhishing);
  const login = benign.filter(({ asksPassword }) => asksPassword);
  const counts = { phishing: phishing.length, benign: benign.length, benignLogin: login.length };
  log(
    `pages: ${counts.phishing} phishing that ask for a password, ${counts.benign} benign, ${counts.benignLogin} of them logins`,
  );

  const detection = VIEWS.map(({ name, sum }): PageDetection => {
    const scores = (pages: readonly JudgedPage[]) => pages.map(({ judgement }) => sum(judgement.logOdds));
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

  const names = [...new Set(judged.flatMap(({ judgement }) => judgement.features))].sort();
  const share = (pages: readonly JudgedPage[], name: string) =>
    pages.filter(({ judgement }) => judgement.features.includes(name)).length / Math.max(1, pages.length);
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
  const forms = { phishing: formRate(phishing), benignLogin: formRate(login) };
  const { phishing: ofPhishing, benignLogin } = forms;
  log(
    `forms that campaigns are known by: ${ofPhishing.known} of phishing, ${ofPhishing.shared} of them on several sites; ${benignLogin.known} of benign logins, ${benignLogin.shared} on several`,
  );
  return { counts, detection, rates, forms };
}

function formRate(pages: readonly JudgedPage[]): FormRate {
  const known = pages.filter(({ form }) => form !== null);
  const groups = [...Map.groupBy(known, ({ form }) => form).values()];
  const shared = groups.filter((group) => new Set(group.map(({ site }) => site)).size > 1);
  return { known: known.length, shared: shared.reduce((sum, group) => sum + group.length, 0) };
}

interface JudgedPage {
  readonly row: PageRow;
  readonly asksPassword: boolean;
  /** The page's own where nobody knows where it stood. */
  readonly site: string;
  readonly form: string | null;
  readonly judgement: PageJudgement;
}

function judgeRow(row: PageRow, judge: PageBenchmarkParts['judge']): JudgedPage {
  const target = parseTarget(row.url);
  if (isTargetProblem(target)) throw new Error(`${row.id}: ${target.message}`);
  const bytes = new TextEncoder().encode(row.html);
  const document = readPage(bytes, { contentType: 'text/html; charset=utf-8', url: target.requestUrl });
  const value = visitOf(target, { contentLength: bytes.length, document });
  const observations = {
    ...unobserved('not_applicable', { state: 'skipped', reason: 'disabled' }),
    page: { state: 'observed', value, elapsedMs: 0 },
  } as const;
  return {
    row,
    asksPassword: asksPassword(document),
    site: row.url === NEUTRAL_URL ? row.id : target.host.site,
    form: formPrint(observations),
    judgement: judge(target, observations),
  };
}

function asksPassword(document: PageDocument): boolean {
  return document.forms.some((form) => form.fields.some((field) => field.kind === 'password'));
}

/** The least score that at most `share` of the scores exceed. */
function exceededBy(scores: readonly number[], share: number): number {
  return scores.toSorted((a, b) => b - a)[Math.floor(share * scores.length)] ?? 0;
}

function total(logOdds: PageJudgement['logOdds']): number {
  return Object.values(logOdds).reduce((sum, value) => sum + value, 0);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
