import { readPage } from '#src/network/html/read-page.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { targetOf } from '#test/support/target.ts';

/** Observations in which every probe was skipped. */
export const UNSEEN: Observations = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });

/** The fields of a login. */
export const LOGIN = '<input name="loginfmt"><input name="passwd" type="password">';

/** Returns the observations of a page with a form. */
export function seenForm(url: string, title: string, fields: string): Observations {
  const html = `<title>${title}</title><form method="post" action="next.php">${fields}</form>`;
  const document = readPage(new TextEncoder().encode(html), { url, contentType: 'text/html' });
  const value = visitOf(targetOf(url), { document, contentLength: html.length });
  return { ...UNSEEN, page: { state: 'observed', value, elapsedMs: 0 } };
}
