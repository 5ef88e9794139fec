import { type Child, html } from './dom.ts';

/**
 * Leads to another page within the page. Beside what strangers wrote this is a button: there nothing is a link, so that none
 * of theirs can pass for one of ours.
 */
export function lead(fragment: string, className: string, ...children: readonly Child[]): HTMLElement {
  const go = () => {
    location.hash = fragment;
  };
  return html('button', { type: 'button', class: className, click: go }, ...children);
}
