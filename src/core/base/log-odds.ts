/** The probability of log-odds in nats. */
export function sigmoid(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** The log-odds, in nats, of a probability. */
export function logOddsOf(probability: number): number {
  return Math.log(probability / (1 - probability));
}
