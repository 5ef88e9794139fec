import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import type { BrandTrial, TriedAttack } from '#src/admin/brands/brand-trial.ts';

/** A line for each URL, and what it comes to. */
export function trialAsText({ name, attacks, own }: BrandTrial): string {
  const lines = [...attacks, ...own].map(({ url, trick, probability, decision }) => {
    const percent = `${(probability * 100).toFixed(1)} %`.padStart(7);
    return `${decision.padEnd(5)} ${percent}  ${visibleInTerminal(url)}  (${trick})\n`;
  });
  const seen = attacks.filter(isAlarm).length;
  const alarmed = own.filter(isAlarm).length;
  const end = `${visibleInTerminal(name)}: warned of or blocked are ${seen} of ${attacks.length} made-up attacks, and ${alarmed} of ${own.length} domains of its own\n`;
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
