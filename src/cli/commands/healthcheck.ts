import { type Static, Type } from '@sinclair/typebox';
import { visibleInTerminal } from '#src/base/foreign-text.ts';
import { parseJson, readShape } from '#src/base/json-shape.ts';
import type { ConfigFor } from '#src/program/config.ts';
import { hostInUrl } from '#src/program/listen-address.ts';
import type { Command } from '../command.ts';

const TIMEOUT_MS = 3000;

/** Asks for each part of the service. */
const VERBOSE = '?verbose';

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
    const { problem, parts } = await ask(url, how);
    const told = parts.filter(({ state }) => state === 'degraded' || state === 'failed').map(describePart);
    if (problem === null) {
      await io.stdout.write('ready\n');
      await io.stderr.write(told.join(''));
      return 0;
    }
    const where = how.unix === undefined ? url.replace(VERBOSE, '') : `unix:${how.unix}`;
    await io.stderr.write([`lurecheck: the service at ${where} ${problem}\n`, ...told].join(''));
    return 1;
  },
};

/** What a service says of itself, as far as it is told here. */
const AnswerSchema = Type.Object({
  detail: Type.Optional(Type.String()),
  parts: Type.Optional(
    Type.Array(
      Type.Object({ name: Type.String(), state: Type.String(), detail: Type.Union([Type.String(), Type.Null()]) }),
    ),
  ),
});

type Part = NonNullable<Static<typeof AnswerSchema>['parts']>[number];

/** What is wrong with a service, as the end of a sentence; null where it is ready. */
async function ask(url: string, how: object): Promise<{ problem: string | null; parts: readonly Part[] }> {
  const response = await fetch(url, { ...how, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
  if (response === null) return { problem: 'does not answer', parts: [] };
  const shaped = readShape(AnswerSchema, parseJson(await response.text().catch(() => '')));
  // Something else may answer there.
  const { detail, parts = [] } = 'value' in shaped ? shaped.value : {};
  if (response.ok) return { problem: null, parts };
  const why = detail === undefined ? '' : `: ${visibleInTerminal(detail)}`;
  return { problem: `answers ${response.status}${why}`, parts };
}

function describePart({ name, state, detail }: Part): string {
  return `lurecheck: ${visibleInTerminal(`${name} is ${state}${detail === null ? '' : `: ${detail}`}`)}\n`;
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
  const path = `${basePath}/readyz${VERBOSE}`;
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
