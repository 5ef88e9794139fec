import { decodeBase64 } from './base64.ts';
import { percentDecode } from './percent-decode.ts';

const MARKUP = /<\s?[a-z]/i;
const ENCODED = /atob\(\s?['"`]([A-Za-z0-9+/_=-]{8,4096})['"`]/;
const PLAIN = /location(?:\.href|\.replace|\.assign)?\s?[=(]\s?['"`](https?:\/\/[^'"`]{1,4096})/i;
const HEXADECIMAL = /^(?:[0-9a-f]{2})+$/i;

/**
 * Returns the URL to which script in a parameter of a vulnerable site redirects: `"><img src=x
 * onerror="location=decodeURIComponent(atob('…'))">`, plain, base64, or base64 of hexadecimal. Null if `value` has no
 * markup or no such URL.
 */
export function injectedTarget(value: string): string | null {
  if (!MARKUP.test(value)) return null;
  const [, encoded] = ENCODED.exec(value) ?? [];
  if (encoded === undefined) return PLAIN.exec(value)?.[1] ?? null;
  const text = decodeBase64(encoded) ?? '';
  return percentDecode(HEXADECIMAL.test(text) ? text.replace(/../g, '%$&') : text);
}
