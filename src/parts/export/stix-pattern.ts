import { MASK } from '#src/checks/record/redact/mask.ts';
import { escapeExpression } from './escape-expression.ts';
import type { Suspect } from './suspects.ts';

/**
 * Returns a pattern that matches a URL (STIX 2.1, 9). Masked parts match any text; a front page also matches by its
 * host.
 */
export function stixPattern({
  url,
  isMasked,
  isFrontPage,
  host,
}: Pick<Suspect, 'url' | 'isMasked' | 'isFrontPage' | 'host'>): string {
  if (isMasked) return `[url:value MATCHES ${stixLiteral(`^${url.split(MASK).map(escapeExpression).join('.+')}$`)}]`;
  const found = `[url:value = ${stixLiteral(url)}]`;
  if (!isFrontPage || host === null) return found;
  const type = host.kind === 'name' ? 'domain-name' : `${host.kind}-addr`;
  return `${found} OR [${type}:value = ${stixLiteral(host.text)}]`;
}

/** A string of the pattern language: in quotes, with a backslash before each quote and each backslash. */
export function stixLiteral(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
