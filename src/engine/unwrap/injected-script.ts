import { decodeBase64 } from './base64.ts';
import { percentDecode } from './percent-decode.ts';

const MARKUP = /<\s?[a-z]/i;
const ENCODED = /atob\(\s?['"`]([A-Za-z0-9+/_=-]{8,4096})['"`]/;
const PLAIN = /location(?:\.href|\.replace|\.assign)?\s?[=(]\s?['"`](https?:\/\/[^'"`]{1,4096})/i;
const HEXADECIMAL = /^(?:[0-9a-f]{2})+$/i;

/**
 * Where script that is injected into a parameter of a vulnerable site sends its visitor: `"><img src=x
 * onerror="location=decodeURIComponent(atob('…'))">`, the address in clear, base64, or base64 of hexadecimal. Null where
 * `value` holds no markup, or none that says where.
 */
export function injectedTarget(value: string): string | null {
  if (!MARKUP.test(value)) return null;
  const [, encoded] = ENCODED.exec(value) ?? [];
  if (encoded === undefined) return PLAIN.exec(value)?.[1] ?? null;
  const text = decodeBase64(encoded) ?? '';
  return percentDecode(HEXADECIMAL.test(text) ? text.replace(/../g, '%$&') : text);
}
