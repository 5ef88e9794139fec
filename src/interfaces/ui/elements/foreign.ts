import { html } from './dom.ts';
import { visibleText } from './visible-text.ts';

/** A text that somebody else wrote: isolated from the direction of what stands around it, and never a link. */
export function foreign(text: string, className = ''): HTMLElement {
  return html('bdi', { class: `foreign ${className}`.trim(), translate: 'no' }, visibleText(text));
}
