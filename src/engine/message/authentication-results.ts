/** What a receiving server states about the sender of a mail. Everything in it is a claim: it stands in the mail itself. */
export interface AuthenticationClaim {
  /** The server that states it (authserv-id); null where it does not name itself. */
  readonly server: string | null;
  readonly results: readonly AuthenticationResult[];
}

/** The result of one method. */
export interface AuthenticationResult {
  readonly method: 'spf' | 'dkim' | 'dmarc';
  /** In lower case, such as `pass`, `fail` or `none` (RFC 8601 §2.7). */
  readonly result: string;
  /** The domain that was authenticated; null where the server does not name it. */
  readonly domain: string | null;
}

/** A header by its name in lower case, as the mail has it. */
interface Header {
  readonly key: string;
  readonly value: string;
}

/** Longer headers are cut, in UTF-16 code units. */
const MAX_HEADER = 8192;

/** Further results of one header say nothing more to a person. */
const MAX_RESULTS = 12;

/** Headers that receiving servers write between several headers of theirs. */
const BESIDE = /^(?:dkim-filter|received-spf|arc-[a-z-]+|x-[a-z0-9-]+)$/;

/** The properties that name the domain, for each method the most telling first (RFC 8601 §2.7). */
const PROPERTIES: Readonly<Record<AuthenticationResult['method'], readonly string[]>> = {
  spf: ['smtp.mailfrom', 'smtp.helo'],
  dkim: ['header.d', 'header.i'],
  dmarc: ['header.from'],
};

/**
 * Reads the authentication results of a mail (RFC 8601); null where it carries none. Servers write theirs above everything
 * that they receive, so the topmost header counts, with those directly below it by the same server. Whatever stands further
 * below may come from the sender, and is ignored; of several results for SPF or DMARC the first counts.
 */
export function authenticationClaim(headers: readonly Header[]): AuthenticationClaim | null {
  const top = headers.findIndex(({ key }) => key === 'authentication-results');
  const first = headers[top];
  if (first === undefined) return null;
  const { server, results } = readResults(first.value);
  const all = [...results];
  for (const { key, value } of server === null ? [] : headers.slice(top + 1)) {
    if (key !== 'authentication-results') {
      if (BESIDE.test(key)) continue;
      break;
    }
    const next = readResults(value);
    if (next.server !== server) break;
    // A method that the server has stated above is not stated anew.
    all.push(...next.results.filter(({ method }) => !all.some((one) => one.method === method)));
  }
  return { server, results: firstOfEach(all).slice(0, MAX_RESULTS) };
}

/** A mail may have several signatures, but SPF and DMARC have one result. */
function firstOfEach(results: readonly AuthenticationResult[]): AuthenticationResult[] {
  return results.filter(
    ({ method }, at) => method === 'dkim' || results.findIndex((other) => other.method === method) === at,
  );
}

function readResults(header: string): AuthenticationClaim {
  const [first = '', ...rest] = segmentsOf(header.slice(0, MAX_HEADER));
  // Some servers leave their name out, and begin with a result.
  const isNamed = !first.includes('=');
  const server = /^\s*"?([^\s";=]{1,253})/.exec(first)?.[1]?.toLowerCase() ?? null;
  return { server: isNamed ? server : null, results: (isNamed ? rest : [first, ...rest]).flatMap(readResult) };
}

function readResult(segment: string): AuthenticationResult[] {
  const [, method = '', result = ''] = /^\s*([a-z]+)(?:\s*\/\s*\d+)?\s*=\s*([\w-]{1,20})/i.exec(segment) ?? [];
  const known = (['spf', 'dkim', 'dmarc'] as const).find((one) => one === method.toLowerCase());
  if (known === undefined) return [];
  const properties = new Map(
    Array.from(
      segment.matchAll(/(?<![a-z])([a-z]+\.[\w-]+)\s*=\s*(?:"([^"]*)"|([^\s;"]+))/gi),
      ([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain ?? ''],
    ),
  );
  const named = PROPERTIES[known].flatMap((name) => properties.get(name) ?? [])[0];
  return [{ method: known, result: result.toLowerCase(), domain: named === undefined ? null : domainOf(named) }];
}

/** The domain of a mail address, which may be the domain alone; null where it is neither. */
function domainOf(address: string): string | null {
  const domain = address
    .slice(address.lastIndexOf('@') + 1)
    .replace(/(?<![.>])[.>]+$/, '')
    .toLowerCase();
  return /^[^\s<>"()]{1,253}$/.test(domain) ? domain : null;
}

/** The parts between semicolons, without comments (RFC 5322 §3.2.2); neither is looked for in quoted strings. */
function segmentsOf(header: string): string[] {
  const segments = [''];
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < header.length; at++) {
    const character = header.charAt(at);
    if (character === '\\') {
      if (depth === 0) segments[segments.length - 1] += header.slice(at, at + 2);
      at++;
    } else if (depth === 0 && character === '"') {
      isQuoted = !isQuoted;
      segments[segments.length - 1] += character;
    } else if (isQuoted) segments[segments.length - 1] += character;
    else if (character === '(') depth++;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 && character === ';') segments.push('');
    else if (depth === 0) segments[segments.length - 1] += character;
  }
  return segments;
}
