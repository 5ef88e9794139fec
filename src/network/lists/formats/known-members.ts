/** Names of the value in tables and records of other programs; if there are several, the first of these counts. */
export const VALUE_MEMBERS = ['value', 'url', 'indicator', 'entry', 'domain', 'hostname', 'host', 'ip'];

export const EXPIRY_MEMBERS = ['expiration', 'expires', 'expires_at', 'valid_until'];

/** Names of the link to more about an entry: PhishTank and URLhaus have a page for each. */
export const SOURCE_MEMBERS = ['source', 'phish_detail_url', 'urlhaus_link'];

/** Names of the comment on an entry: PhishTank uses `target`, URLhaus `threat` and `tags`, OpenPhish `brand`. */
export const COMMENT_MEMBERS = ['comment', 'description', 'target', 'threat', 'tags', 'brand'];
