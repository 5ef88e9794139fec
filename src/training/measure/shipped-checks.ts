import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { Evidence } from '#src/engine/analyzers/analyzer.ts';
import { brandAnalyzer, readBrands } from '#src/engine/analyzers/brand.ts';
import type { Component } from '#src/engine/analyzers/index.ts';
import { urlAnalyzer } from '#src/engine/analyzers/url.ts';
import { type Decision, decide, fuse } from '#src/engine/fusion/fuse.ts';
import type { FusionModel } from '#src/engine/fusion/model.ts';
import type { LexicalModel } from '#src/engine/lexical/model.ts';
import { SERVICE_FORMS, serviceLinks } from '../data/service-links.ts';
import { BASE_RATE } from './calibrate.ts';
import { markdownTable } from './markdown-table.ts';
import { sharesOf } from './verdicts.ts';

/** The shipped models. */
export interface ShippedModels {
  readonly lexical: LexicalModel;
  readonly fusion: FusionModel;
}

const LINKS_PER_FORM = 40;

/** Suffixes of countries under which a brand's name is tried, sold to everybody. */
const GUESSED = 'com.ag com.ph com.co li at ch de pl ro gd am as'.split(' ');

/**
 * Returns the decisions of the shipped models on what no list contains, without a network: honest links of services, and
 * names of brands under country suffixes that no published list names; as Markdown.
 */
export function describeShippedChecks(models: ShippedModels): string {
  const { brands } = models.lexical.knowledge;
  const byForm = Object.entries(SERVICE_FORMS).map(
    ([service, form]) => [service, serviceLinks(form, LINKS_PER_FORM).map((url) => decisionOn(url, models))] as const,
  );
  const links = byForm.flatMap(([, decisions]) => decisions);
  const mostWarned = byForm.map(([service, decisions]) => [service, decisions.filter(isAlarm).length] as const);
  const [worst, most] = mostWarned.toSorted((a, b) => b[1] - a[1])[0] ?? ['', 0];
  const names = brands.all.flatMap(({ domains }) =>
    domains.filter((one) => one.endsWith('.*')).map((one) => one.slice(0, -2)),
  );
  const hosts = [...new Set(names)].flatMap((name) => GUESSED.map((suffix) => `${name}.${suffix}`));
  const guessed = hosts.filter((host) => {
    const target = parseTarget(`https://${host}/`);
    if (isTargetProblem(target)) return false;
    return brands.ownersOf(target.host).length === 0 && brands.possibleOwnersOf(target.host).length > 0;
  });
  const onGuessed = (path: string) => sharesOf(guessed.map((host) => decisionOn(`https://${host}${path}`, models)));
  return [
    'What no list of honest or phishing URLs contains, by the shipped model and brand evidence without a network, warned / blocked in percent:',
    markdownTable(
      ['', 'number', 'warned / blocked'],
      [
        [
          `honest links of ${byForm.length} documented forms of mail, protection and sharing services (most: ${worst}, ${most} of ${LINKS_PER_FORM})`,
          String(links.length),
          sharesOf(links),
        ],
        [
          'names of brands under country suffixes that no published list names, bare',
          String(guessed.length),
          onGuessed('/'),
        ],
        ['the same with /login', String(guessed.length), onGuessed('/login')],
      ],
    ),
    'A brand’s name under a country suffix may be its branch or an imitation, so that the name is no evidence there and the page decides.',
  ].join('\n\n');
}

function isAlarm(decision: Decision | null): boolean {
  return decision === 'warn' || decision === 'block';
}

function decisionOn(url: string, { lexical, fusion }: ShippedModels): Decision | null {
  const target = parseTarget(url);
  if (isTargetProblem(target)) return null;
  const { knowledge } = lexical;
  const page = { state: 'skipped', reason: 'disabled' } as const;
  const brands = readBrands(target, knowledge);
  const evidence = new Map<Component, Evidence | null>([
    ['url', urlAnalyzer.analyze({ target, brands, knowledge, models: { lexical } })],
    ['brand', brandAnalyzer.analyze({ target, brands, knowledge, observations: { page }, page: null })],
  ]);
  return decide(fuse(evidence, fusion, BASE_RATE).probability, fusion.thresholds);
}
