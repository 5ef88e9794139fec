import { html } from './dom.ts';
import { visibleText } from './visible-text.ts';

/** Shows untrusted text, isolated from the direction of the surrounding text, and never as a link. */
export function foreign(text: string, className = ''): HTMLElement {
  return html('bdi', { class: `foreign ${className}`.trim(), translate: 'no' }, visibleText(text));
}
