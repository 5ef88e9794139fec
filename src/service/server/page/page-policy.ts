/**
 * The content security policy of the page's document. Only its own script, style and icon load; nothing may frame it;
 * and since the only trusted type is the address of the worker that reads messages, the browser itself refuses to make markup
 * or script out of text.
 */
export const PAGE_POLICY = [
  "default-src 'self'",
  "object-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types reader',
].join('; ');

/**
 * The policy of the document with which the installed page starts. It runs one script, which registers the service worker;
 * that sink of Trusted Types is why the page itself cannot.
 */
export const START_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
