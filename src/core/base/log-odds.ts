/** Converts log-odds in nats to a probability. */
export function sigmoid(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** Converts a probability to log-odds in nats. */
export function logOddsOf(probability: number): number {
  return Math.log(probability / (1 - probability));
}
