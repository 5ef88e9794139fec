import type { BrandTrial, TriedAttack } from '#src/admin/brands/brand-trial.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';

/** A line for each URL, and what it comes to. */
export function trialAsText({ name, attacks, own }: BrandTrial): string {
  const lines = [...attacks, ...own].map(({ url, trick, probability, decision }) => {
    const percent = `${(probability * 100).toFixed(1)} %`.padStart(7);
    return `${decision.padEnd(5)} ${percent}  ${visibleInTerminal(url)}  (${trick})\n`;
  });
  const seen = attacks.filter(isAlarm).length;
  const alarmed = own.filter(isAlarm).length;
  const end = `${visibleInTerminal(name)}: ${seen} of ${attacks.length} synthetic attacks and ${alarmed} of ${own.length} own domains are warned about or blocked\n`;
  return lines.join('') + end;
}

/** The same for machines. */
export function trialAsJson({ name, attacks, own }: BrandTrial): string {
  const row = ({ url, trick, probability, decision }: TriedAttack) => ({
    url,
    trick,
    malicious_probability: probability,
    decision,
  });
  return `${visibleJson(JSON.stringify({ name, attacks: attacks.map(row), own: own.map(row) }, null, 2))}\n`;
}

function isAlarm({ decision }: TriedAttack): boolean {
  return decision !== 'allow';
}
