import { type Clock, oncePerMinute } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Problem } from './problem.ts';

/** The refusal of a request that came for another host. */
export const MISDIRECTED: Problem = {
  code: 'misdirected',
  detail: 'The service does not answer to this host name. Its operator can add the name with the setting "host".',
};

/** Longest host name that is logged, in characters (RFC 1035 §2.3.4). */
const MAX_HOST_LENGTH = 253;

/** Logs the host names for which requests were refused, at most once per minute. */
export function createMisdirectedLog(logger: Logger, clock: Clock): (request: Request) => void {
  const report = oncePerMinute(clock, (host: string, refused) =>
    logger.warn('request.misdirected', { host, refused, message: 'add the name to the setting "host" if it is yours' }),
  );
  return ({ headers }) => report((headers.get('host') ?? '').slice(0, MAX_HOST_LENGTH));
}

/** Returns true for a navigation of a browser. */
export function isForPerson({ headers }: Request): boolean {
  return (headers.get('accept') ?? '').split(',').some((type) => /^\s*text\/html\s*(?:;|$)/i.test(type));
}

/** The same refusal for a person. It does not repeat the name, which the author of the link chose. */
export function misdirectedPage(requestId: string): Response {
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>lurecheck does not answer under this name</title>
<h1>lurecheck does not answer under this name</h1>
<p>The service was reached by a host name that is not one of its own. This protects it against web pages that pretend to be it.</p>
<p>Operators: add the name of the address bar to the setting <code>host</code>, for example
<code>lurecheck serve --host links.example</code>, and restart the service.</p>
<p>Others: ask the operator for the right address. Request ${requestId}.</p>
</html>
`;
  return new Response(text, { status: 421, headers: { 'content-type': 'text/html; charset=utf-8' } });
}
