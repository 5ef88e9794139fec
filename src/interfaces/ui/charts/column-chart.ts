import type { Stats } from '#src/checks/record/stats.ts';
import { type Child, html } from '../elements/dom.ts';
import { position } from '../elements/position.ts';
import type { Locale } from '../shell/locale.ts';
import { hrefOf, type RouteFilter } from '../shell/route.ts';

const KINDS = ['allow', 'warn', 'block'] as const;

/** Checks by verdict over time, a column for each hour or day, which leads to its checks among those of `filter`. */
export function decisionsChart(
  periods: Stats['days'],
  unit: 'hour' | 'day',
  { say, format }: Locale,
  filter: RouteFilter = {},
): HTMLElement {
  const total = periods.reduce((sum, { allow, warn, block }) => sum + allow + warn + block, 0);
  const name = unit === 'hour' ? format.hour : format.day;
  const labelled = KINDS.map((kind) => ({ kind, label: say(`decision.${kind}.short`) }));
  const last = periods.length - 1;
  // Of few columns, some are the first, the middle and the last at once.
  const named = [...new Set([0, Math.ceil(last / 2), last])];
  return columnChart(
    {
      label: say('phrase.labelled', { label: say('overview.checks'), value: say.count('chart.total', total) }),
      columns: periods.map((period, i) => ({
        href: hrefOf('history', {
          ...filter,
          from: period.start,
          until: periods[i + 1]?.start ?? endOf(period.start, unit),
        }),
        names: [name(period.start)],
        parts: KINDS.map((kind) => ({ kind, value: period[kind] })),
      })),
      axis: named.flatMap((at) => periods[at] ?? []).map((period) => name(period.start)),
      headings: [say('chart.time'), ...labelled.map(({ label }) => label)],
      legend: labelled,
    },
    { say, format },
  );
}

/** Returns the end of an hour or a day. */
function endOf(start: string, unit: 'hour' | 'day'): string {
  return new Date(Date.parse(start) + (unit === 'hour' ? 3_600_000 : 86_400_000)).toISOString();
}

/** A column of a chart, with its parts from the bottom upwards. */
export interface Column {
  /** Cells of the table that name the column, such as its time, or its lower and upper bound. */
  readonly names: readonly string[];
  readonly parts: readonly { readonly kind: string; readonly value: number }[];
  /** Link to the checks that the column counts. */
  readonly href?: string;
}

/** A line at a share of the width, such as a threshold. */
export interface ColumnMark {
  readonly at: number;
  readonly kind: string;
  readonly label: string;
}

/** Content and texts of a chart. */
export interface ChartContent {
  /** Alternative text of the chart. */
  readonly label: string;
  readonly columns: readonly Column[];
  readonly marks?: readonly ColumnMark[];
  /** Words under the plot, spread evenly from its left to its right. */
  readonly axis: readonly string[];
  /** Headings of the table that says the same in figures. */
  readonly headings: readonly string[];
  /** Labels of the parts if there are several. */
  readonly legend?: readonly { readonly kind: string; readonly label: string }[];
}

/**
 * Creates a chart of stacked columns, and the same figures as a table for people who cannot or do not want to read the
 * chart.
 */
export function columnChart(content: ChartContent, locale: Locale): HTMLElement {
  const { say, format } = locale;
  const { columns, marks = [], legend = [] } = content;
  const totals = columns.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const top = topOf(totals);
  if (totals.every((total) => total === 0)) return html('p', { class: 'muted' }, say('overview.nothing'));
  return html(
    'figure',
    { class: 'chart' },
    legend.length > 0 && html('p', { class: 'legend' }, legend.map(legendEntry)),
    html(
      'div',
      { class: 'axes' },
      html(
        'div',
        { class: 'y-axis', 'aria-hidden': 'true' },
        [top, ...(top > 1 ? [top / 2] : []), 0].map((value) => html('span', {}, format.number(value))),
      ),
      html(
        'div',
        { class: 'plot', role: 'img', 'aria-label': content.label },
        html(
          'div',
          { class: 'columns' },
          columns.map((column, index) => drawn(column, totals[index] ?? 0, top, locale)),
        ),
        marks.map(({ at, kind, label }) =>
          position(html('span', { class: `mark-line ${kind}` }, html('span', {}, label)), { at }),
        ),
      ),
      html(
        'p',
        { class: 'x-axis', 'aria-hidden': 'true' },
        content.axis.map((text) => html('span', {}, text)),
      ),
    ),
    html(
      'details',
      {},
      html('summary', {}, say('chart.table')),
      dataTable(
        content.label,
        content.headings,
        columns.map(({ names: [name = '', ...more], parts, href }) => [
          href === undefined ? name : html('a', { href }, name),
          ...more,
          ...parts.map(({ value }) => format.number(value)),
        ]),
      ),
    ),
  );
}

/** Returns the end of the scale: the largest total, rounded up to an even number so that its half is a whole number. */
function topOf(totals: readonly number[]): number {
  const most = Math.max(...totals, 1);
  return most === 1 ? most : most + (most % 2);
}

function drawn({ names, parts, href }: Column, total: number, top: number, { say, format }: Locale): HTMLElement {
  return html(
    'div',
    {
      class: href === undefined ? 'column' : 'column leads',
      title: say('phrase.labelled', { label: names.join(' – '), value: format.number(total) }),
      // The table has the same target as a link, for people without a pointer.
      ...(href !== undefined && {
        click: () => {
          location.hash = href;
        },
      }),
    },
    parts.map(
      ({ kind, value }) => value > 0 && position(html('span', { class: `part ${kind}` }), { size: value / top }),
    ),
  );
}

function legendEntry({ kind, label }: { readonly kind: string; readonly label: string }): Child {
  return html('span', { class: kind }, label);
}

/** A table of figures; the cells of its first column name its rows. */
function dataTable(caption: string, headings: readonly string[], rows: readonly (readonly Child[])[]): HTMLElement {
  return html(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    html(
      'table',
      {},
      html('caption', { class: 'visually-hidden' }, caption),
      html(
        'thead',
        {},
        html(
          'tr',
          {},
          headings.map((heading) => html('th', { scope: 'col' }, heading)),
        ),
      ),
      html(
        'tbody',
        {},
        rows.map(([name, ...cells]) =>
          html(
            'tr',
            {},
            html('th', { scope: 'row' }, name),
            cells.map((cell) => html('td', {}, cell)),
          ),
        ),
      ),
    ),
  );
}
