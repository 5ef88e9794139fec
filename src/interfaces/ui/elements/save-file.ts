import { html } from './dom.ts';

/** Hands a text to the reader as a file of its own. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = html('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The download has begun by then; without this the browser would keep the file in memory as long as the page.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
