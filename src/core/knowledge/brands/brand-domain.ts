import type { Knowledge } from '../index.ts';
import { parseHost } from '#src/core/url/host.ts';

/** Why a domain is nobody's own, in a sentence: what strangers publish under a platform's host is not the brand's; else null. */
export function platformProblem(domain: string, { hostFact }: Pick<Knowledge, 'hostFact'>): string | null {
  const host = parseHost(domain.trim());
  const platform = host && hostFact(host);
  if (platform?.domain !== host?.text || !host) return null;
  return `anyone can publish under ${host.text}: name the host under it that is yours`;
}
