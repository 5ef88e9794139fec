import { visibleInTerminal } from '#src/base/foreign-text.ts';
import type { ConfigFor } from '#src/program/config.ts';
import { hostInUrl } from '#src/program/listen-address.ts';
import type { Command } from '../command.ts';

const TIMEOUT_MS = 3000;

/** `lurecheck healthcheck`: asks the service on this machine, for a container or a service manager. */
export const healthcheckCommand: Command<'healthcheck'> = {
  name: 'healthcheck',
  operands: '',
  summary: 'asks the service where it listens whether it is ready',
  options: {},
  examples: [
    { line: 'lurecheck healthcheck', purpose: 'Ask the service at its usual address.' },
    { line: 'lurecheck healthcheck --listen 127.0.0.1:9000', purpose: 'Ask it elsewhere.' },
  ],
  async run({ config }, io) {
    const { url, ...how } = wayTo(config);
    const problem = await fetch(url, { ...how, signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
      async (response) => (response.ok ? null : `answers ${response.status}${await detailOf(response)}`),
      () => 'does not answer',
    );
    if (problem === null) {
      await io.stdout.write('ready\n');
      return 0;
    }
    await io.stderr.write(
      `lurecheck: the service at ${how.unix === undefined ? url : `unix:${how.unix}`} ${problem}\n`,
    );
    return 1;
  },
};

/** What a problem says of itself; nothing where something else answers there. */
async function detailOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  return body !== null && typeof body === 'object' && 'detail' in body
    ? `: ${visibleInTerminal(String(body.detail))}`
    : '';
}

/** What `fetch` is to ask, and how. */
interface Way {
  readonly url: string;
  readonly unix?: string;
  readonly tls?: { readonly rejectUnauthorized: boolean };
}

/** How to ask the first of the addresses on which the service listens. */
function wayTo({ listen, base_path: basePath, tls_certificate: certificate }: ConfigFor<'healthcheck'>): Way {
  const [address] = listen;
  const path = `${basePath}/readyz`;
  if (address === undefined || address.kind === 'unix') {
    return { url: `http://localhost${path}`, ...(address && { unix: address.path }) };
  }
  const authority = `${hostInUrl(reachable(address.host))}:${address.port}`;
  // It is asked on this machine, where it has another name than in its certificate.
  return certificate === null
    ? { url: `http://${authority}${path}` }
    : { url: `https://${authority}${path}`, tls: { rejectUnauthorized: false } };
}

/** The address under which a service that listens on all addresses can be reached from here. */
function reachable(host: string | null): string {
  if (host === null || host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
