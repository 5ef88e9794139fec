/**
 * Sent with every response. Scripts, styles and frames of other origins are kept out, nothing is cached, and no
 * other site may embed or read an answer; there are no CORS headers on purpose.
 */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** The permissions policy of the page's document: with the camera, its reader may scan QR codes. */
export const PAGE_PERMISSIONS = SECURITY_HEADERS['permissions-policy'].replace('camera=()', 'camera=(self)');
