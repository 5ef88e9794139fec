/** Number of other sites on which something was seen before a check. */
export interface Sighting {
  /** Suspicious sites, each submitted by a client from a different network. */
  readonly sites: number;
  /** Day of the first one, in UTC, as an ISO 8601 date. */
  readonly since: string;
}

/** Parts of a target that recent public checks saw on other sites; null for parts that they did not. */
export interface CampaignSightings {
  /** The path, if it is unusual. */
  readonly path: Sighting | null;
  /** The form that asks for a secret, with the title of its page. */
  readonly form: Sighting | null;
}
