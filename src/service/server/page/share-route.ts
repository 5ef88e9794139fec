import { Type } from '@sinclair/typebox';
import { ProblemError } from '../http/problem.ts';
import { readBody } from '../http/read-body.ts';
import { pathOf } from '../http/request-path.ts';
import { ownHost, type SiteParts } from '../http/request-site.ts';
import { routesWith } from '../http/routes-with.ts';

/** The most bytes of a shared text. Its redirect fits the 256 KiB that browsers take as headers, even fully encoded. */
const MAX_SHARED_BYTES = 64 * 1024;

/** The fragment by which the page says that a shared text is too long. */
const TOO_LONG = '#shared=too-long';

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

/** Fields of a phone's share sheet. Most apps put the link into `text`, among other words. */
const FIELDS = ['url', 'text', 'title'] as const;

/**
 * `POST /share`: the share target of the installed page. Redirects to the page with the shared text in the fragment, which
 * no log of a server or proxy records. Nothing is checked, looked up or stored, so that the request is safe from any origin:
 * another site gains nothing that a link to `/#url=…` does not give it. Browsers send shares without an initiator, with
 * `Origin: null`, which the guard of the other routes refuses.
 */
export const shareRoute = routesWith<Pick<SiteParts, 'isOwnHost'>>().post(
  '/share',
  ({ body, request, redirect }) => {
    const page = pathOf(request).endsWith('/') ? '../' : './';
    return redirect(`${page}${fragmentOf(body)}`, 303);
  },
  { parse: [ownHost, readForm], body: Type.Unsafe<URLSearchParams | null>(Type.Any()), detail: { hide: true } },
);

/** Reads the shared form; null if it is too large, which the page reports. */
async function readForm({ request }: { readonly request: Request }): Promise<URLSearchParams | null> {
  if (!FORM_TYPE.test(request.headers.get('content-type') ?? '')) {
    throw new ProblemError({
      code: 'unsupported_media_type',
      detail: 'Send the shared text as a form, with the header Content-Type: application/x-www-form-urlencoded.',
    });
  }
  try {
    return new URLSearchParams(new TextDecoder().decode(await readBody(request, MAX_SHARED_BYTES)));
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.code !== 'body_too_large') throw error;
    return null;
  }
}

/** The fragment by which the page fills its input with a shared text. */
function fragmentOf(form: URLSearchParams | null): string {
  if (form === null) return TOO_LONG;
  const texts: string[] = [];
  for (const field of FIELDS) {
    for (const value of form.getAll(field)) {
      const text = value.trim();
      // Some apps send the link twice; a title is used only if it contains a link.
      if (text !== '' && !texts.includes(text) && (field !== 'title' || /\S[.:]\S/.test(text))) texts.push(text);
    }
  }
  return texts.length === 0 ? '#/' : `#url=${encodeURIComponent(texts.join('\n'))}`;
}
