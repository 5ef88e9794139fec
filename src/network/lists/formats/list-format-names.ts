/** Names of the list formats, for files whose format cannot be detected. */
export const LIST_FORMATS = [
  ...(['stix', 'misp', 'json', 'ndjson', 'csv'] as const),
  ...(['dnsmasq', 'unbound', 'rpz', 'adblock', 'hosts', 'plain'] as const),
];

/** One of {@link LIST_FORMATS}. */
export type ListFormatName = (typeof LIST_FORMATS)[number];
