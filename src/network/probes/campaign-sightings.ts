/** On how many other sites something stood before a check. */
export interface Sighting {
  /** Sites that were doubted, each shown by a client from a network of its own. */
  readonly sites: number;
  /** Day, in UTC, on which the first of them was shown, as an ISO 8601 date. */
  readonly since: string;
}

/** What of a target this box was shown on other sites before, by public checks of the last days; null for what it was not. */
export interface CampaignSightings {
  /** The path, where it is an unusual one. */
  readonly path: Sighting | null;
  /** The form that asks for a secret, with the title of its page. */
  readonly form: Sighting | null;
}
