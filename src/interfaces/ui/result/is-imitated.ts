import type { AnalysisDetails } from '#src/checks/record/check-result.ts';

/** Returns true if something speaks for the brand being another's: on its own pages nothing does. */
export function isImitated({ brand, host_parts, reasons }: AnalysisDetails): boolean {
  const isOwn = brand?.domains.includes(host_parts.registrable_domain ?? host_parts.site);
  return (
    !isOwn &&
    reasons.some(
      ({ component, code, weight }) => weight > 0 && (component === 'brand' || /brand_|_of_brand/.test(code)),
    )
  );
}
