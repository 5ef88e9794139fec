import type { CheckResult } from '#src/checks/record/check-result.ts';

/** A name made of the decision, the host and the day that every file system takes, at most 100 ASCII characters long. */
export function reportFileName({ decision, timestamp, analysis_details }: CheckResult): string {
  const host = analysis_details.host_parts.ascii.replace(/[^A-Za-z0-9-]+/g, '-').replace(/^-+|-+$/g, '');
  const day = timestamp.slice(0, 10).replace(/[^0-9-]/g, '');
  return `lurecheck-${decision}-${host.slice(0, 60) || 'link'}-${day}.html`;
}
