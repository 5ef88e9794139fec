/** Statement of a receiving server about the sender of a mail. It is part of the mail, hence untrusted. */
export interface AuthenticationClaim {
  /** Server that states it (authserv-id); null if unnamed. */
  readonly server: string | null;
  readonly results: readonly AuthenticationResult[];
}

/** Result of one method. */
export interface AuthenticationResult {
  readonly method: 'spf' | 'dkim' | 'dmarc';
  /** In lower case, such as `pass`, `fail` or `none` (RFC 8601 §2.7). */
  readonly result: string;
  /** Authenticated domain; null if unnamed. */
  readonly domain: string | null;
}

/** Maximum length of a header, in UTF-16 code units; longer ones are truncated. */
const MAX_HEADER = 8192;

/** Properties that name the domain, the most significant first (RFC 8601 §2.7). */
const PROPERTIES: Readonly<Record<AuthenticationResult['method'], readonly string[]>> = {
  spf: ['smtp.mailfrom', 'smtp.helo'],
  dkim: ['header.d', 'header.i'],
  dmarc: ['header.from'],
};

/** Reads the segments of an `Authentication-Results` header (RFC 8601 §2.2). */
export function readResults([first = '', ...rest]: readonly string[]): AuthenticationClaim {
  // Some servers omit their name and begin with a result.
  const isNamed = !first.includes('=');
  const server = /^\s*"?([^\s";=]{1,253})/.exec(first)?.[1]?.replace(/\.$/, '').toLowerCase() ?? null;
  return { server: isNamed ? server : null, results: (isNamed ? rest : [first, ...rest]).flatMap(readResult) };
}

function readResult(segment: string): AuthenticationResult[] {
  const [, method = '', result = ''] = /^\s*([a-z]+)(?:\s*\/\s*\d+)?\s*=\s*([\w-]{1,20})/i.exec(segment) ?? [];
  const known = (['spf', 'dkim', 'dmarc'] as const).find((one) => one === method.toLowerCase());
  if (known === undefined) return [];
  const properties = new Map(
    Array.from(
      segment.matchAll(/(?<![a-z])([a-z]+\.[\w-]+)\s*=\s*((?:"(?:[^"\\]|\\.)*"|[^\s;"])+)/gi),
      ([, name = '', value = '']) => [name.toLowerCase(), value.replace(/\\(.)/g, '$1')],
    ),
  );
  const named = PROPERTIES[known].flatMap((name) => properties.get(name) ?? [])[0];
  return [{ method: known, result: result.toLowerCase(), domain: named === undefined ? null : domainOf(named) }];
}

/** Returns the domain of a mail address or of a bare domain, in quotes or not; null if it is neither. */
function domainOf(address: string): string | null {
  const domain = address
    .slice(address.lastIndexOf('@') + 1)
    .replace(/^"/, '')
    .replace(/(?<![.>"])[.>"]+$/, '')
    .toLowerCase();
  return /^[^\s<>"()]{1,253}$/.test(domain) ? domain : null;
}

/** Returns the parts of a header between semicolons, without comments (RFC 5322 §3.2.2). Quoted strings are not split. */
export function segmentsOf(value: string): string[] {
  const header = value.slice(0, MAX_HEADER);
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
