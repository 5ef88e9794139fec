/** What a value is called in the tables and records of others; where one has several, the first of these counts. */
export const VALUE_MEMBERS = ['value', 'url', 'indicator', 'entry', 'domain', 'hostname', 'host', 'ip'];

export const EXPIRY_MEMBERS = ['expiration', 'expires', 'expires_at', 'valid_until'];

/** Where a feed says more about an entry: PhishTank and URLhaus have a page of each. */
export const SOURCE_MEMBERS = ['source', 'phish_detail_url', 'urlhaus_link'];

/** What is said of an entry: PhishTank names its `target`, URLhaus `threat` and `tags`, OpenPhish the `brand`. */
export const COMMENT_MEMBERS = ['comment', 'description', 'target', 'threat', 'tags', 'brand'];
