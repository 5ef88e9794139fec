import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { AssessSettings, Models } from '#src/engine/assess/settings.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { markdownTable } from './markdown-table.ts';

/** Share of busy hosts that the gate may hold by spelling alone. */
export const MAX_HELD = 1 / 20_000;

/** Thresholds for which the share of held hosts is reported. */
const GRID = [0.87, 0.9, 0.95, 0.97, 0.98, 0.99];

/** Result of a measurement on busy hosts. */
export interface BusyHosts {
  /** Hosts that were measured: every second one of the file, beginning with the second. */
  readonly hosts: number;
  /** Lowest threshold, in thousandths, that holds at most {@link MAX_HELD} of the other hosts. */
  readonly fitted: number;
  /** Held hosts by threshold: those of the grid, the fitted one and the shipped one, in ascending order. */
  readonly held: readonly { readonly threshold: number; readonly count: number }[];
}

/**
 * Measures how many busy hosts are held by their spelling, each as `https://HOST/`, as in a CONNECT.
 *
 * @param lines one host per line, the busiest first; the last field, if there are commas
 * @param probabilityOf score without a network
 * @param shipped threshold of the model, which is measured as well
 */
export function measureBusyHosts(
  lines: Iterable<string>,
  probabilityOf: (url: string) => number,
  shipped: number,
): BusyHosts {
  const scores = [...hostsIn(lines)].map((host) => probabilityOf(`https://${host}/`));
  const halves = [0, 1].map((half) => scores.filter((_, at) => at % 2 === half).sort((a, b) => b - a));
  const [fit = [], measured = []] = halves;
  const exceeded = fit[Math.floor(fit.length * MAX_HELD)] ?? 0;
  const fitted = Math.min(0.999, (Math.floor(exceeded * 1000) + 1) / 1000);
  const thresholds = [...new Set([...GRID, fitted, shipped])].sort((a, b) => a - b);
  const countFrom = (threshold: number) => measured.filter((score) => score >= threshold).length;
  return {
    hosts: measured.length,
    fitted,
    held: thresholds.map((threshold) => ({ threshold, count: countFrom(threshold) })),
  };
}

function* hostsIn(lines: Iterable<string>): Generator<string> {
  for (const line of lines) {
    const host = line.slice(line.lastIndexOf(',') + 1).trim();
    if (host !== '' && !isTargetProblem(parseTarget(`https://${host}/`))) yield host;
  }
}

/** Returns the score of a URL by its spelling and the brands that it names. Throws for a text that is no URL. */
export function probabilityBySpelling(models: Models, settings: AssessSettings): (url: string) => number {
  const unseen = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });
  return (url) => {
    const target = parseTarget(url);
    if (isTargetProblem(target)) throw new Error(`${url} ${target.message}`);
    return assess(target, unseen, models, settings).verdict.probability;
  };
}

/** Formats a measurement for a person, as Markdown. */
export function describeBusyHosts({ hosts, fitted, held }: BusyHosts, shipped: number): string {
  const rows = held.map(({ threshold, count }) => [
    `${threshold}${threshold === shipped ? ' (shipped)' : ''}`,
    String(count),
    `${((100 * count) / hosts).toFixed(4)} %`,
    `${((100 * upperBound(count)) / hosts).toFixed(4)} %`,
  ]);
  return [
    `Busy hosts held by spelling alone, each as \`https://HOST/\`: ${hosts.toLocaleString('en')} hosts, every second one of the file. The other half gives ${fitted} as the lowest threshold that holds at most 1 in ${1 / MAX_HELD} of it.`,
    markdownTable(['held from', 'hosts', 'share', 'at most, with 95 % confidence'], rows),
  ].join('\n\n');
}

/** Upper end of the one-sided 95 % interval of a Poisson mean (Ulm, American Journal of Epidemiology 1990, by Wilson and Hilferty). */
function upperBound(count: number): number {
  const next = count + 1;
  return next * (1 - 1 / (9 * next) + 1.645 / (3 * Math.sqrt(next))) ** 3;
}

const BEGIN = '<!-- busy hosts: written by `lurecheck evaluate --busy-hosts FILE --out DIR` -->';
const END = '<!-- end of busy hosts -->';

/** Replaces the measurement in a model card; adds it at the end of a card that has none. */
export function withBusyHosts(card: string, text: string): string {
  const section = `${BEGIN}\n\n${text}\n\n${END}`;
  const [from, to] = [card.indexOf(BEGIN), card.indexOf(END)];
  if (from === -1 || to === -1) return `${card.trimEnd()}\n\n## Threshold of the gate\n\n${section}\n`;
  return `${card.slice(0, from)}${section}${card.slice(to + END.length)}`;
}
