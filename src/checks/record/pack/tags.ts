/**
 * Texts that records share. A place in this list is what is kept in place of a text: new ones go to its end, and none is
 * changed or taken out.
 */
export const WORDS: readonly string[] = [
  '',
  ...['disabled', 'not_applicable', 'not_found', 'timeout', 'unreachable', 'refused_by_policy', 'error', 'ok'],
  ...['url', 'brand', 'page', 'redirects', 'dns', 'registration', 'certificate', 'lists'],
  ...['allow', 'warn', 'block', 'get', 'post', 'dialog', 'rdap', 'whois', 'truncated', 'status'],
  ...['text', 'password', 'email', 'hidden', 'other', 'user_name', 'number', 'phone', 'search', 'textarea', 'file'],
  ...['card_number', 'card_code', 'one_time_code', 'seed_phrase', 'identity_number', 'bank_account'],
  ...['TLSv1.3', 'TLSv1.2', 'RSA 2048', 'RSA 4096', 'EC P-256', 'EC P-384', 'sha256WithRSAEncryption'],
  ...['ecdsa-with-SHA256', 'ecdsa-with-SHA384', 'client transfer prohibited', 'issue', 'issuewild', 'iodef'],
  ...['a password', 'a website builder', 'a free host', 'a platform for web apps', 'a platform for code'],
  ...['a file store', 'a blog platform', 'a link shortener', 'a form platform', 'a dynamic-DNS name'],
  ...['http', 'refresh', 'script', 'frame', 'link', 'full', 'partial', 'url_only'],
];
