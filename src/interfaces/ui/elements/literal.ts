import { html } from './dom.ts';
import { visibleText } from './visible-text.ts';

/**
 * A text whose parts mean something by their order, such as a URL, the name of a host or a key: read from left to right in
 * every language, so that no letter in it makes it look like another.
 */
export function literal(text: string, className = '', maxLength?: number): HTMLElement {
  const shown = visibleText(text, maxLength);
  return html('bdi', { class: `foreign ${className}`.trim(), dir: 'ltr', translate: 'no' }, shown);
}

/** Shows untrusted text, isolated from the direction of the surrounding text, and never as a link. */
export function foreign(text: string, className = ''): HTMLElement {
  return html('bdi', { class: `foreign ${className}`.trim(), translate: 'no' }, visibleText(text));
}
