import type { AnalysisDetails } from '#src/record/check-result.ts';
import type { Locale } from '../shell/locale.ts';
import { facts } from './facts.ts';
import { panel } from './panel.ts';

/** What could not be looked at and why; null where everything was. */
export function unavailablePanel({ unavailable }: AnalysisDetails, { say }: Locale): HTMLElement | null {
  if (unavailable.length === 0) return null;
  return panel(
    'unavailable',
    say('unavailable.title'),
    say('unavailable.lead'),
    facts(
      ...unavailable.map(
        ({ component, reason }) =>
          [say.maybe(`component.${component}`, component), say.maybe(`status.${reason}`, reason)] as const,
      ),
    ),
  );
}
