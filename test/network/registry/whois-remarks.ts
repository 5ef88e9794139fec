/** How registries say that they have no such domain. */
export const NOT_FOUND_ANSWERS: readonly string[] = [
  'No match for domain "EXAMPLE.COM".\r\n>>> Last update of whois database: 2026-01-01T00:00:00Z <<<\r\n',
  'Domain not found.\r\n',
  'NOT FOUND\n',
  'Domain: example.com\nStatus: free\n',
  'Domain:\texample.com\nStatus:\tAVAILABLE\n',
  '%% NOT FOUND\n',
  '% No match for example.com\n',
  '%ERROR:101: no entries found\n',
  'example.com is free\n',
  'No information available about domain name example.com in the Registry.\n',
  '\n    No match for "example.com".\n\n    This domain name has not been registered.\n',
  'No Data Found\n',
  'The queried object does not exist: DOMAIN NOT FOUND\n',
  'No matching record.\n',
  '[ JPRS ]\nNo match!!\n',
  '% Terms of Use\n% - Who sends too many queries is blocked\n%\nquery_datetime: 2026-01-01T18:24:23+13:00\ndomain_name: example.com\nquery_status: 220 Available\n',
  '% IANA WHOIS server\n% This query returned 0 objects.\n',
  'query : example.com\n\n# ENGLISH\n\nThe requested domain was not found in the Registry or Registrar’s WHOIS Server.\n',
  'Not found: example.com\n\n%\n% Access may be denied to those who exceeded a fair number of queries\n',
];

/** How registries say that they will not answer. */
export const REFUSALS: readonly string[] = [
  'WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS\r\n',
  '% Error: 55000000002 Connection refused; access control limit reached.\n',
  'Number of allowed queries exceeded.\n',
  'Your access is too fast,please try again later.\n',
  'Queried interval is too short.\n',
  '% Query rate limit exceeded. Reduced information.\n',
  'Quota exceeded. No data returned.\n',
  'Access denied: your address is blocked\n',
];
