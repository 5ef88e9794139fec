import type { AnalysisDetails } from '#src/checks/record/check-result.ts';

let written: typeof import('./written-host.ts')['writtenHost'] | null = null;

/** Loads what decides how the name of a host is written, if it is one in another script. Without it, names are in ASCII. */
export async function loadNames({ host_parts: { ascii, unicode } }: AnalysisDetails): Promise<void> {
  if (unicode === ascii) return;
  written = (await import('./written-host.ts').catch(() => null))?.writtenHost ?? null;
}

/** Returns a function that writes the host of a result within a text as people read it. */
export function shownHost(details: AnalysisDetails): (text: string) => string {
  return written?.(details) ?? ((text) => text);
}
