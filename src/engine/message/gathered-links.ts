import { type MessageLink, withoutRepeats } from './message-link.ts';
import type { Reading } from './reading.ts';

/** Links that a reader has found and not handed over. */
export interface GatheredLinks {
  add(links: readonly MessageLink[]): void;
  /** Returns each link once. */
  distinct(): MessageLink[];
}

/** Number of links from which on repeated ones are removed, or all are handed over. */
const MANY = 1000;

/** Creates an empty collection: a mail may repeat a link a hundred thousand times, or have as many. */
export function gatherLinks(reading: Pick<Reading, 'compare' | 'takeLinks'>): GatheredLinks {
  let links: MessageLink[] = [];
  let most = MANY;
  return {
    add(found) {
      for (const link of found) links.push(link);
      if (links.length < most) return;
      links = withoutRepeats(links, reading);
      if (reading.takeLinks !== null) {
        reading.takeLinks(links);
        links = [];
      }
      most = MANY + 2 * links.length;
    },
    distinct: () => withoutRepeats(links, reading),
  };
}
