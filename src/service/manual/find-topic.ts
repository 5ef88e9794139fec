import { findPart } from './parts.ts';
import { TEXTS } from './texts.ts';

/** Returns the part of that name, or a section of any part by its heading, such as an alert's; null if there is neither. */
export function findTopic(name: string): string | null {
  const part = findPart(name);
  if (part !== null) return TEXTS[part];
  const wanted = name.toLowerCase();
  for (const text of Object.values(TEXTS)) {
    const sections = text.split(/^(?=## )/m).slice(1);
    const found = sections.find((section) => section.slice(3, section.indexOf('\n')).toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return null;
}
