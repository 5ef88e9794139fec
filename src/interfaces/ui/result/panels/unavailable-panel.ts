import type { AnalysisDetails } from '#src/checks/record/check-result.ts';
import type { Locale } from '../../shell/locale.ts';
import { isLinkAlone } from '../completeness.ts';
import { facts } from '../facts.ts';
import { panel } from './panel.ts';

/** Shows what could not be observed, and why; null if nothing is missing. */
export function unavailablePanel(details: AnalysisDetails, { say }: Locale): HTMLElement | null {
  const { unavailable } = details;
  if (unavailable.length === 0) return null;
  if (isLinkAlone(details)) return panel('unavailable', say('unavailable.title'), say('advice.offline'));
  return panel(
    'unavailable',
    say('unavailable.title'),
    say('unavailable.lead'),
    facts(
      ...unavailable.map(
        ({ component, reason }) => [say.maybe(`component.${component}`, component), status(component, reason)] as const,
      ),
    ),
  );

  /** No operator switches lists off: they name none. */
  function status(component: string, reason: string): string {
    if (component === 'lists' && reason === 'disabled') return say('status.noLists');
    return say.maybe(`status.${reason}`, reason);
  }
}
