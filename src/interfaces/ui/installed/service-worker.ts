import type english from '#src/core/languages/en.json';
import type { LanguageTag } from '#src/core/languages/languages.ts';

/** In this file, because the texts come from the service. The bundler of the page puts them in. */
declare const BARE_TEXTS: Readonly<Record<LanguageTag, (typeof english)['bare'] & { readonly direction: string }>>;

/** The part of a fetch event (Service Workers §4.6) that is used here; the library of types for pages does not have it. */
interface NavigationEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

// Nothing is cached: every page and every verdict comes from the service. If the service is unreachable, the installed
// page reports that instead of the browser's own error.
addEventListener('fetch', (event) => {
  const { request, respondWith } = event as NavigationEvent;
  if (request.mode !== 'navigate') return;
  respondWith.call(
    event,
    fetch(request).catch(() => unreachablePage(navigator.languages, new URL('./', location.href).pathname)),
  );
});

/** Content security policy: no scripts and no requests. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const STYLE =
  'body{max-width:32rem;margin:15vh auto;padding:0 1.25rem;font:1.0625rem/1.6 system-ui,sans-serif}h1{font-size:1.5rem;line-height:1.25}';

/**
 * Creates the response instead of a page that could not be fetched, in the first known language of the reader; `start`
 * is the path of the page to retry.
 */
function unreachablePage(preferred: readonly string[], start: string): Response {
  const known = preferred.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  const language = known.find((tag): tag is LanguageTag => Object.hasOwn(BARE_TEXTS, tag)) ?? 'en';
  const { unreachable, direction } = BARE_TEXTS[language];
  const { title, text, again } = unreachable;
  return new Response(
    `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>lurecheck</title><style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${text}</p><p><a href="${start}">${again}</a></p></main></body></html>`,
    {
      status: 503,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      },
    },
  );
}
