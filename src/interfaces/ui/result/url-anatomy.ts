import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import { type Child, html } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { foreign, literal } from '../elements/literal.ts';
import type { SentenceKey } from '../languages/language.ts';
import type { Locale } from '../shell/locale.ts';
import { facts, foreignList, panel } from './facts.ts';
import { isImitated } from './is-imitated.ts';
import { shownHost } from './shown-host.ts';

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
function urlLine(details: AnalysisDetails, { say }: Locale): HTMLElement | null {
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

/** Here nothing of a URL is cut: it is at most 8,192 characters long. */
const WHOLE = Number.POSITIVE_INFINITY;

/** The URL taken apart, with the characters that look like others beside these. */
export function urlAnatomy({ url, analysis_details: details }: CheckResult, locale: Locale): HTMLElement {
  const { say, format } = locale;
  const { normalized_url, host_parts: host, unwrapped_urls, brand } = details;
  const parsed = URL.canParse(normalized_url) ? new URL(normalized_url) : null;
  const isHttps = parsed?.protocol === 'https:';
  const text = (value: string) => literal(value, 'mono', WHOLE);
  return panel(
    'anatomy',
    say('url.title'),
    null,
    urlLine(details, locale),
    facts(
      url === normalized_url ? null : [say('url.given'), text(url), 'wide'],
      [say('url.checked'), text(normalized_url), 'wide'],
      [
        say('url.scheme'),
        [text(isHttps ? 'https' : 'http'), note(say(isHttps ? 'url.scheme.https' : 'url.scheme.http'))],
      ],
      parsed?.username ? [say('url.credentials'), [text(parsed.username), note(say('url.credentials.means'))]] : null,
      host.subdomain === '' ? null : [say('url.subdomain'), text(host.subdomain)],
      host.registrable_domain === null && host.subdomain === ''
        ? [say('url.address'), html('strong', {}, text(host.site))]
        : [say('url.domain'), [html('strong', {}, text(shownHost(details)(host.site))), note(say('url.domain.means'))]],
      host.unicode === host.ascii ? null : [say('url.unicode'), text(host.unicode)],
      host.lookalikes.length === 0 ? null : [say('url.lookalikes'), lookalikes(host, say)],
      parsed?.port ? [say('url.port'), text(parsed.port)] : null,
      parsed && parsed.pathname !== '/' ? [say('url.path'), text(parsed.pathname)] : null,
      parsed?.search ? [say('url.query'), queryParts(parsed.search)] : null,
      unwrapped_urls.length === 0 ? null : [say('url.inside'), foreignList(unwrapped_urls, '', WHOLE)],
      brand && [
        say(isImitated(details) ? 'url.brand.imitated' : 'url.brand'),
        [
          foreign(brand.name),
          note(say('phrase.labelled', { label: say('url.brand.confidence'), value: format.percent(brand.confidence) })),
          brand.domains.length > 0 &&
            note(
              say('phrase.labelled', { label: say('url.brand.domains'), value: '' }),
              literal(brand.domains.slice(0, 8).join(', ')),
            ),
        ],
      ],
    ),
  );
}

function note(...said: readonly Child[]): HTMLElement {
  return html('span', { class: 'note' }, said);
}

/** Shows each confusable character beside its lookalike, large enough to compare. */
function lookalikes({ lookalikes: pairs }: AnalysisDetails['host_parts'], say: Locale['say']): Child {
  return html(
    'ul',
    { class: 'lookalikes' },
    pairs.map(({ character, looks_like: latin }) => {
      const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
      return html(
        'li',
        {},
        html(
          'span',
          { class: 'pair', 'aria-hidden': 'true' },
          html('span', { class: 'glyph is-foreign' }, foreign(character)),
          html('span', { class: 'glyph' }, foreign(latin)),
        ),
        html(
          'span',
          { class: 'note' },
          filled(say('url.lookalike'), (name) =>
            name === 'code' ? code : foreign(name === 'latin' ? latin : character),
          ),
        ),
      );
    }),
  );
}

/** Lists parameters, one per line, undecoded so that nothing is hidden. */
function queryParts(search: string): Child {
  return foreignList(search.slice(1).split('&'), '', WHOLE);
}
