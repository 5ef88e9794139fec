import { HONEST, TESTED_PLACES } from '../data/synthetic-tests.ts';
import { markdownTable } from './markdown-table.ts';
import type { MeasuredRows } from './measure-folds.ts';
import { decideRows, sharesOf, type VerdictParts } from './verdicts.ts';

/**
 * Returns the decisions on imitations of brands that no fit has seen, and on ordinary names by suffix and platform; as
 * Markdown.
 */
export function describeSynthetic(synthetic: MeasuredRows, parts: VerdictParts): string {
  const decisions = decideRows(synthetic, parts);
  const bySource = Map.groupBy(synthetic.rows.keys(), (row) => synthetic.sources[row] ?? '');
  const shares = (source: string) => sharesOf((bySource.get(source) ?? []).map((row) => decisions[row] ?? null));
  const imitations = [...bySource.keys()].filter((source) => source.includes(', '));
  const kinds = [...new Set(imitations.map((source) => source.split(', ', 1)[0] ?? ''))];
  const forms = [...new Set(imitations.map((source) => source.slice(source.indexOf(', ') + 2)))];
  const { warn, block } = parts.fusion.thresholds;
  return [
    `Imitations of brands, warned / blocked in percent at ${warn} and ${block}, by spelling and brand evidence. The spelling is scored by a model fitted to the training rows that name none of these brands:`,
    markdownTable(
      ['', ...forms],
      kinds.map((kind) => [kind, ...forms.map((form) => shares(`${kind}, ${form}`))]),
    ),
    'Ordinary names, warned / blocked in percent at the same thresholds and by the same model: 300 synthetic names of shops, firms and clubs; and at most 300 collected names, which are those of honest shops, firms and clubs under suffixes, and of honest users on platforms, that are in no fit and measure no bound:',
    markdownTable(
      ['suffix', 'synthetic', 'collected', 'platform', 'synthetic', 'collected'],
      Array.from({ length: Math.max(TESTED_PLACES.suffixes.length, TESTED_PLACES.platforms.length) }, (_, at) =>
        [TESTED_PLACES.suffixes[at], TESTED_PLACES.platforms[at]].flatMap((place) =>
          place === undefined
            ? ['', '', '']
            : [place.includes('.') ? place : `.${place}`, shares(place), shares(`${place}${HONEST}`)],
        ),
      ),
    ),
  ].join('\n\n');
}
