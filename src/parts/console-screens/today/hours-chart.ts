import type { Activity } from '#src/checks/record/activity.ts';
import { type Child, html, svg } from '#src/interfaces/ui/elements/dom.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';

type Hour = Activity['hours'][number];

/** Verdicts from the bottom of a column upwards. */
const KINDS = ['allow', 'warn', 'block'] as const;

/** Size of the drawing, which is stretched to its place, and width of a column. */
const [WIDTH, HEIGHT, COLUMN] = [720, 160, 22];

/** Hours between two words of the axis. */
const AXIS_STEP = 6;

const totalOf = (hour: Hour) => KINDS.reduce((sum, kind) => sum + hour[kind], 0);

/** Checks per hour in the reader's time zone, each column leading to its checks, and the same figures as a table. */
export function hoursChart(
  hours: readonly Hour[],
  hrefOfHour: ((from: string, until: string) => string) | null,
  { locale, tell }: ConsoleParts,
): HTMLElement {
  const { say, format } = locale;
  const totals = hours.map(totalOf);
  const top = topOf(Math.max(0, ...totals));
  const all = totals.reduce((sum, one) => sum + one, 0);
  const endOf = (hour: Hour) => new Date(Date.parse(hour.start) + 3_600_000).toISOString();
  const open = (hour: Hour) => hrefOfHour?.(hour.start, endOf(hour));
  const label = say('phrase.labelled', { label: tell('today.day'), value: format.number(all) });
  const column = (hour: Hour, at: number) => {
    const href = totalOf(hour) > 0 ? open(hour) : undefined;
    let below = 0;
    const parts = KINDS.map((kind) => {
      const height = top === 0 ? 0 : (hour[kind] / top) * HEIGHT;
      below += height;
      const x = (at + 0.5) * (WIDTH / hours.length) - COLUMN / 2;
      return height > 0 && svg('rect', { class: kind, x, y: HEIGHT - below, width: COLUMN, height });
    });
    const words = KINDS.map((kind) => `${format.number(hour[kind])} ${say(`decision.${kind}.short`)}`).join(', ');
    const x = at * (WIDTH / hours.length);
    return svg(
      'g',
      { class: href ? 'leads' : null, click: () => href && location.assign(href) },
      svg('title', {}, `${format.hour(hour.start)} – ${format.hour(endOf(hour))}: ${words}`),
      svg('rect', { class: 'under', x, y: 0, width: WIDTH / hours.length, height: HEIGHT }),
      parts,
    );
  };
  return html(
    'figure',
    { class: 'chart hours' },
    html(
      'p',
      { class: 'legend' },
      KINDS.map((kind) => html('span', { class: kind }, say(`decision.${kind}.short`))),
    ),
    html(
      'div',
      { class: 'axes' },
      html(
        'div',
        { class: 'y-axis', 'aria-hidden': 'true' },
        [top, top / 2, 0].map((value) => html('span', {}, format.number(value))),
      ),
      svg(
        'svg',
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
        hours.map(column),
      ),
      html(
        'p',
        { class: 'x-axis', 'aria-hidden': 'true' },
        hours.flatMap((hour, at) => (at % AXIS_STEP === 0 ? html('span', {}, format.hour(hour.start)) : [])),
        html('span', {}, tell('today.now')),
      ),
    ),
    html('details', {}, html('summary', {}, say('chart.table')), hoursTable(hours, open, { locale, tell }, label)),
  );
}

function hoursTable(
  hours: readonly Hour[],
  open: (hour: Hour) => string | undefined,
  { locale: { say, format }, tell }: Pick<ConsoleParts, 'locale' | 'tell'>,
  label: string,
): Child {
  const name = (hour: Hour) => {
    const href = open(hour);
    return href === undefined ? format.instant(hour.start) : html('a', { href }, format.instant(hour.start));
  };
  return html(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': label },
    table<Hour>(
      label,
      tell('none'),
      [
        { label: say('chart.time'), cell: name },
        ...KINDS.map((kind) => ({
          ...{ label: say(`decision.${kind}.short`), look: 'number' as const },
          cell: (hour: Hour) => format.number(hour[kind]),
        })),
      ],
      hours.toReversed(),
    ).element,
  );
}

/** Returns the end of the scale: an even number at least as large as the largest column. */
function topOf(most: number): number {
  if (most <= 2) return 2;
  const step = 10 ** Math.floor(Math.log10(most));
  const top = [1, 2, 4, 6, 8, 10].find((one) => one * step >= most) ?? 10;
  return step === 1 ? top + (top % 2) : top * step;
}
