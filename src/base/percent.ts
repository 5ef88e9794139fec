/** A probability as a percentage for people: never `0 %` or `100 %` for what is neither. */
export function formatPercent(probability: number): string {
  const percent = probability * 100;
  if (percent > 0 && percent < 0.1) return '<0.1 %';
  if (percent < 100 && percent > 99.9) return '>99.9 %';
  return `${percent.toFixed(1)} %`;
}
