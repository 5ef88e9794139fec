import type { AnalysisDetails } from '#src/checks/record/check-result.ts';
import { html } from '../elements/dom.ts';
import { literal } from '../elements/literal.ts';
import type { SentenceKey } from '../languages/language.ts';
import type { Locale } from '../shell/locale.ts';
import { shownHost } from './names/shown-host.ts';

/** A piece of a URL and what it is called. */
interface UrlPart {
  readonly name: 'scheme' | 'credentials' | 'subdomain' | 'owner' | 'port' | 'path' | 'query';
  readonly label: SentenceKey;
  readonly text: string;
}

/**
 * The URL as one line of labelled parts, with its owner large. It is read as text, from left to right in every language; parts
 * that are too long for the line are cut in it, and whole in the facts below.
 */
export function urlLine(details: AnalysisDetails, { say }: Locale): HTMLElement | null {
  const { normalized_url, host_parts: host } = details;
  const written = shownHost(details);
  const url = URL.parse(normalized_url);
  if (url === null) return null;
  const isAddress = host.registrable_domain === null && host.subdomain === '';
  const credentials = url.username || url.password ? `${url.username}${url.password && `:${url.password}`}@` : '';
  const parts: readonly UrlPart[] = [
    { name: 'scheme', label: 'url.scheme', text: `${url.protocol}//` },
    { name: 'credentials', label: 'url.credentials', text: credentials },
    { name: 'subdomain', label: 'url.subdomain', text: host.subdomain && `${written(host.subdomain)}.` },
    { name: 'owner', label: isAddress ? 'url.address' : 'url.domain', text: written(host.site) },
    { name: 'port', label: 'url.port', text: url.port && `:${url.port}` },
    { name: 'path', label: 'url.path', text: url.pathname === '/' ? '' : url.pathname },
    { name: 'query', label: 'url.query', text: url.search },
  ];
  return html(
    'ol',
    { class: 'url-line', dir: 'ltr' },
    parts
      .filter(({ text }) => text !== '')
      .map(({ name, label, text }) =>
        html(
          'li',
          { class: `url-part ${name}` },
          literal(text.slice(0, MAX_SHOWN), 'mono'),
          html('span', { class: 'url-label', dir: 'auto' }, say(label)),
        ),
      ),
  );
}

/** A line holds no more of a part, in UTF-16 code units. */
const MAX_SHOWN = 300;
