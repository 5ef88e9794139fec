/** What the registry says of the registrable domain. Dates are ISO 8601 UTC, null where unknown or unreadable. */
export interface Registration {
  readonly source: 'rdap' | 'whois';
  /** The domain that was asked for. */
  readonly domain: string;
  readonly registrar: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly expiresAt: string | null;
  /** Whole days since `createdAt` at the time of the look-up; null where that is unknown. */
  readonly ageDays: number | null;
  /** As the registry spells them, without links. */
  readonly statuses: readonly string[];
  /** Lower case, without the final dot. */
  readonly nameservers: readonly string[];
  /** ISO 3166-1 alpha-2, upper case; null where withheld. */
  readonly registrantCountry: string | null;
}
