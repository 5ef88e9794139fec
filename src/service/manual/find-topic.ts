import { isPart } from './parts.ts';
import { TEXTS } from './texts.ts';

/** The part of that name, or what stands under a heading of any part, such as an alert's; null where there is neither. */
export function findTopic(name: string): string | null {
  if (isPart(name)) return TEXTS[name];
  const wanted = name.toLowerCase();
  for (const text of Object.values(TEXTS)) {
    const sections = text.split(/^(?=## )/m).slice(1);
    const found = sections.find((section) => section.slice(3, section.indexOf('\n')).toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return null;
}
