/** A summand of the model's answer, in log-odds (nats) relative to the base rate. */
export interface LexicalTerm {
  /** Stable name, snake_case. */
  readonly code: string;
  /** What was seen, as a sentence for a person. */
  readonly message: string;
  readonly logOdds: number;
}
