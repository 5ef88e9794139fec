import type { MeasuredShare, Measurement } from './report.ts';

const percent = (value: number, digits = 1) => (Number.isNaN(value) ? '–' : `${(100 * value).toFixed(digits)}`);
const withInterval = ({ value, low, high }: MeasuredShare) => `${percent(value)} (${percent(low)}–${percent(high)})`;

/** Returns the figures of several measurements as Markdown tables, for the terminal and the model card. */
export function formatMeasurements(measurements: readonly Measurement[]): string {
  return [
    table(
      ['measured on', 'phishing, benign', 'AUC', 'caught at 1 %', 'at 0.1 %', 'precision at 1:100', 'ECE', 'Brier'],
      measurements.map((m) => [
        m.name,
        `${m.rows.phishing}, ${m.rows.benign}`,
        `${m.auc.value.toFixed(4)} (${m.auc.low.toFixed(4)}–${m.auc.high.toFixed(4)})`,
        ...m.caught.map(withInterval),
        percent(m.precisionAtOnePercent),
        m.ece.toFixed(4),
        m.brier.toFixed(4),
      ]),
    ),
    'Phishing caught, in percent, at 1 % and 0.1 % false alarms:',
    byKey(
      measurements,
      (m) => m.caughtBy,
      (shares) => shares.map((share) => percent(share)).join(' / '),
    ),
    'False alarms, in percent, at the thresholds to warn and to block:',
    byKey(
      measurements,
      (m) => m.alarmsBy,
      ([warn, block]) => `${percent(warn, 2)} / ${percent(block, 2)}`,
    ),
  ].join('\n\n');
}

/** Returns a table with one row per key and one column per measurement. */
function byKey<Value>(
  measurements: readonly Measurement[],
  pick: (measurement: Measurement) => Readonly<Record<string, Value>>,
  format: (value: Value) => string,
): string {
  const keys = [...new Set(measurements.flatMap((measurement) => Object.keys(pick(measurement))))];
  return table(
    ['', ...measurements.map(({ name }) => name)],
    keys.map((key) => [
      key,
      ...measurements.map((measurement) => {
        const value = pick(measurement)[key];
        return value === undefined ? '–' : format(value);
      }),
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Returns the mean over folds with equal weight; the mean intervals are wider than the interval of the mean. */
export function meanMeasurement(name: string, folds: readonly Measurement[]): Measurement {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanOf = (pick: (measurement: Measurement) => number) =>
    mean(folds.map(pick).filter((value) => !Number.isNaN(value)));
  const meanShare = (pick: (measurement: Measurement) => MeasuredShare | undefined): MeasuredShare => ({
    value: meanOf((fold) => pick(fold)?.value ?? Number.NaN),
    low: meanOf((fold) => pick(fold)?.low ?? Number.NaN),
    high: meanOf((fold) => pick(fold)?.high ?? Number.NaN),
  });
  const keysOf = (pick: (measurement: Measurement) => object) => [
    ...new Set(folds.flatMap((fold) => Object.keys(pick(fold)))),
  ];
  return {
    name,
    rows: {
      phishing: folds.reduce((sum, { rows }) => sum + rows.phishing, 0),
      benign: folds.reduce((sum, { rows }) => sum + rows.benign, 0),
    },
    auc: meanShare(({ auc }) => auc),
    caught: (folds[0]?.caught ?? []).map((_, index) => meanShare(({ caught }) => caught[index])),
    precisionAtOnePercent: meanOf((fold) => fold.precisionAtOnePercent),
    ece: meanOf((fold) => fold.ece),
    brier: meanOf((fold) => fold.brier),
    caughtBy: Object.fromEntries(
      keysOf(({ caughtBy }) => caughtBy).map((key) => [
        key,
        [0, 1].map((index) => meanOf((fold) => fold.caughtBy[key]?.[index] ?? Number.NaN)),
      ]),
    ),
    alarmsBy: Object.fromEntries(
      keysOf(({ alarmsBy }) => alarmsBy).map((key) => [
        key,
        [
          meanOf((fold) => fold.alarmsBy[key]?.[0] ?? Number.NaN),
          meanOf((fold) => fold.alarmsBy[key]?.[1] ?? Number.NaN),
        ],
      ]),
    ),
  };
}
