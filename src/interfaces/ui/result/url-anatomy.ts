import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import { type Child, html } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { foreign } from '../elements/foreign.ts';
import { literal } from '../elements/literal.ts';
import type { Locale } from '../shell/locale.ts';
import { facts, foreignList } from './facts.ts';
import { isImitated } from './names/is-imitated.ts';
import { shownHost } from './names/shown-host.ts';
import { panel } from './panels/panel.ts';
import { urlLine } from './url-line.ts';

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
