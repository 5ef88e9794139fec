import { ownLimit } from '../api/own-limit.ts';
import { html } from '../elements/dom.ts';
import type { Locale } from '../shell/locale.ts';
import { minutesFor } from './check-kind.ts';

/** Shows how long so many links take at the limit, once the service has reported it; empty if it does not matter. */
export function forecast(links: number, { say, format }: Locale): HTMLElement {
  const place = html('p', { class: 'forecast' });
  void ownLimit().then((limit) => {
    const minutes = limit === null ? 0 : minutesFor(links, limit);
    if (limit !== null && minutes > 0)
      place.textContent = say.count('check.forecast', minutes, { limit: format.number(limit) });
  });
  return place;
}
