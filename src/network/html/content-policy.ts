import { readUrl } from '#src/core/url/read-url.ts';

/** One serialized policy (CSP Level 3): its directives with their values, names in lower case. */
type Policy = ReadonlyMap<string, readonly string[]>;

/** The Content Security Policies of a page, as far as they decide which document a visitor sees and where a form goes. */
export interface ContentPolicies {
  /** False under `sandbox` without `allow-scripts`: a browser then ignores `Refresh` headers and `meta` refreshes. */
  readonly allowsRefresh: boolean;
  /** False under `sandbox` without `allow-forms`: no form is sent. */
  readonly allowsForms: boolean;
  /** Returns true if `base-uri` lets the address be the base of relative ones. */
  allowsBase(address: string): boolean;
  /** Returns true if `form-action` lets a form be sent to the address. */
  allowsAction(address: string): boolean;
  /** The same policies with those of a `meta` element, in which a browser ignores `sandbox`. */
  withMeta(content: string): ContentPolicies;
}

/** Policies that are read of one page; each costs a comparison for each form. */
const MAX_POLICIES = 16;

/**
 * Reads the `Content-Security-Policy` header of a page; several are joined by a comma.
 *
 * @param pageUrl what `'self'` stands for.
 */
export function readContentPolicies(header: string | null, pageUrl: string): ContentPolicies {
  return policies(header === null ? [] : parsePolicies(header), pageUrl);
}

function policies(all: readonly Policy[], pageUrl: string): ContentPolicies {
  const lifts = (token: string) =>
    all.every((policy) => policy.get('sandbox')?.some((given) => given.toLowerCase() === token) ?? true);
  const allows = (directive: string, address: string) =>
    all.every((policy) => policy.get(directive)?.some((source) => matches(source, address, pageUrl)) ?? true);
  return {
    allowsRefresh: lifts('allow-scripts'),
    allowsForms: lifts('allow-forms'),
    allowsBase: (address) => allows('base-uri', address),
    allowsAction: (address) => allows('form-action', address),
    withMeta(content) {
      const added = parsePolicies(content).map(
        (policy) => new Map([...policy].filter(([directive]) => directive !== 'sandbox')),
      );
      return policies([...all, ...added].slice(0, MAX_POLICIES), pageUrl);
    },
  };
}

function parsePolicies(text: string): Policy[] {
  return text
    .split(',', MAX_POLICIES)
    .map(parsePolicy)
    .filter((policy) => policy.size > 0);
}

function parsePolicy(text: string): Policy {
  const directives = new Map<string, readonly string[]>();
  for (const part of text.split(';')) {
    const [name = '', ...values] = part.trim().split(/[\t\n\f\r ]+/);
    const directive = name.toLowerCase();
    // Of two directives with one name, the first one counts.
    if (directive !== '' && !directives.has(directive)) directives.set(directive, values);
  }
  return directives;
}

/** CSP Level 3 §6.7.2.6, "Does url match expression in origin with redirect count?", for an address of the web. */
function matches(source: string, address: string, pageUrl: string): boolean {
  const url = readUrl(address, pageUrl);
  const page = readUrl(pageUrl);
  if (url === null || page === null) return false;
  const expression = source.toLowerCase();
  if (expression === '*') return /^https?:$/.test(url.protocol);
  if (expression === "'self'") return url.host === page.host && matchesScheme(page.protocol, url.protocol);
  if (expression.startsWith("'")) return false;
  const scheme = /^([a-z][a-z0-9+.-]*:)$/.exec(expression)?.[1];
  if (scheme !== undefined) return matchesScheme(scheme, url.protocol);
  return matchesHost(expression, url, page);
}

function matchesHost(expression: string, url: URL, page: URL): boolean {
  const [, scheme = page.protocol, host = '', port = '', path = ''] =
    /^(?:([a-z][a-z0-9+.-]*:)\/\/)?([^:/?#]+)(?::(\d+|\*))?(\/[^?#]*)?$/.exec(expression) ?? [];
  if (!matchesScheme(scheme, url.protocol)) return false;
  const isHost = host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host;
  const isPort = port === '*' || portOf(url.port, url.protocol) === (port || portOf('', url.protocol));
  const isPath =
    path === '' || path === '/' || (path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path);
  return isHost && isPort && isPath;
}

/** An expression for http also allows https. */
function matchesScheme(allowed: string, scheme: string): boolean {
  return allowed === scheme || (allowed === 'http:' && scheme === 'https:');
}

function portOf(port: string, scheme: string): string {
  return port || (scheme === 'https:' ? '443' : '80');
}
