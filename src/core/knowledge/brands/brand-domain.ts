import { parseHost } from '#src/core/url/host.ts';
import type { Knowledge } from '../index.ts';

/**
 * Returns why a domain cannot belong to a brand, such as the host of a platform where third parties publish; else null.
 */
export function platformProblem(domain: string, { hostFact }: Pick<Knowledge, 'hostFact'>): string | null {
  const host = parseHost(domain.trim());
  const platform = host && hostFact(host);
  if (platform?.domain !== host?.text || !host) return null;
  return `anyone can publish under ${host.text}: name the host under it that is yours`;
}
