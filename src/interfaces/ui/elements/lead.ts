import { type Child, html } from './dom.ts';

/**
 * Leads to another view of the page. Beside untrusted text it is a button: there nothing is a link, so that a forged
 * link cannot pass for one of the page.
 */
export function lead(fragment: string, className: string, ...children: readonly Child[]): HTMLElement {
  const go = () => {
    location.hash = fragment;
  };
  return html('button', { type: 'button', class: className, click: go }, ...children);
}
