/** The media type of Prometheus's text format, which every tool of its kind reads. */
export const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/** The media type of OpenMetrics 1.0. */
export const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/**
 * Prometheus's text as OpenMetrics: a counter is called by its family's name, without the `_total` of its samples, there are
 * no empty lines, and the end is marked. (The package can write either format, but from the first time that it has written
 * OpenMetrics on, it writes the other with other names.)
 */
export function toOpenMetrics(prometheusText: string): string {
  const lines = prometheusText.split('\n').filter((line) => line !== '');
  return `${[...lines.map((line) => line.replace(/^(# (?:HELP|TYPE) \S+)_total /, '$1 ')), '# EOF'].join('\n')}\n`;
}
