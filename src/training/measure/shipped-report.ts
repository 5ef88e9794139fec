import { kindOf } from '../data/kinds.ts';
import { isSignInPath } from '../data/sign-in-paths.ts';
import { markdownTable } from './markdown-table.ts';
import type { MeasuredRows } from './measure-folds.ts';
import { decideRows, sharesOf, type VerdictParts } from './verdicts.ts';

/** A path or query with words that ask for credentials. */
const LOGIN_LIKE = /log-?in|log-?on|sign-?in|auth|account|verify|secure|webscr|sso/i;

/** Platforms whose honest sites are reported separately. */
const BUILDERS = ['weebly.com', 'wixsite.com', 'webflow.io', 'framer.website', 'framer.app', 'blogspot.com'];

interface Group {
  readonly name: string;
  readonly holds: (rows: MeasuredRows, row: number) => boolean;
}

const behindHost = (canon: string) => canon.slice(canon.search(/[/?]|$/));

const PHISHING: readonly Group[] = [
  { name: 'phishing', holds: () => true },
  { name: 'bare, on its own domain', holds: ({ rows }, row) => rows[row]?.bare === true && !rows[row]?.hosted },
  { name: 'on a platform', holds: ({ rows }, row) => rows[row]?.hosted === true },
  {
    name: 'at a sign-in path of known software, on its own domain',
    holds: ({ rows }, row) => !rows[row]?.hosted && isSignInPath(rows[row]?.canon ?? ''),
  },
  {
    name: 'at another path that reads like a sign-in, on its own domain',
    holds: ({ rows }, row) => {
      const { canon = '', hosted = false } = rows[row] ?? {};
      return !hosted && LOGIN_LIKE.test(behindHost(canon)) && !isSignInPath(canon);
    },
  },
];

/**
 * Returns the decisions on the rows of the folds at the shipped thresholds, by spelling and brands, with the spelling
 * calibrated on all folds; as Markdown.
 */
export function describeShipped(folds: readonly MeasuredRows[], parts: VerdictParts): string {
  const decisions = folds.map((fold) => decideRows(fold, parts));
  const lineOf = ({ name, holds }: Group, label: 0 | 1) => [
    name,
    ...folds.map((fold, at) =>
      sharesOf((decisions[at] ?? []).filter((_, row) => fold.labels[row] === label && holds(fold, row))),
    ),
  ];
  const kinds = [...new Set(folds.flatMap(({ sources, labels }) => sources.filter((_, row) => labels[row] === 0)))];
  const benign: Group[] = [...new Set(kinds.map(kindOf))].sort().map((kind) => ({
    name: kind,
    holds: ({ sources }, row) => kindOf(sources[row] ?? '') === kind,
  }));
  const signIns: Group = {
    name: 'at a path that reads like a sign-in and is in no list of software',
    holds: ({ rows, sources }, row) =>
      !kindOf(sources[row] ?? '').includes('sign-in paths') &&
      LOGIN_LIKE.test(behindHost(rows[row]?.canon ?? '')) &&
      !isSignInPath(rows[row]?.canon ?? ''),
  };
  const builders = BUILDERS.map(
    (domain): Group => ({
      name: `on ${domain}`,
      holds: ({ rows }, row) => isUnder(rows[row]?.canon ?? '', domain),
    }),
  );
  const { warn, block } = parts.fusion.thresholds;
  const head = ['', ...folds.map(({ name }) => `without ${name}`)];
  return [
    `At the shipped thresholds (${warn} and ${block}), spelling and brand evidence, warned / blocked in percent of rows:`,
    markdownTable(head, [
      ...PHISHING.map((group) => lineOf(group, 1)),
      ...[{ name: '**benign**, collected', holds: isCollected }, ...benign, signIns, ...builders].map((group) =>
        lineOf(group, 0),
      ),
    ]),
  ].join('\n\n');
}

/** Returns true if a row counts in figures; synthetic rows and machine endpoints do not. */
function isCollected({ weights }: MeasuredRows, row: number): boolean {
  return (weights[row] ?? 0) > 0;
}

function isUnder(canon: string, domain: string): boolean {
  return (canon.split(/[/?:]/, 1)[0] ?? '').endsWith(`.${domain}`);
}
