import { type Static, Type } from '@sinclair/typebox';
import { hostInUrl, type ListenAddress } from '#src/core/base/settings/listen-address.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';

const TIMEOUT_MS = 3000;

/** The part of the answer of a service that is needed here. */
const AnswerSchema = Type.Object({
  detail: Type.Optional(Type.String()),
  parts: Type.Optional(
    Type.Array(
      Type.Object({ name: Type.String(), state: Type.String(), detail: Type.Union([Type.String(), Type.Null()]) }),
    ),
  ),
});

/** A part of a service and its state. */
export type Part = NonNullable<Static<typeof AnswerSchema>['parts']>[number];

/** Readiness of a service. */
interface Readiness {
  /** Problem of the service, as the end of a sentence; null if it is ready. */
  readonly problem: string | null;
  readonly parts: readonly Part[];
}

/** Asks a service whether it is ready. Never throws. */
export async function fetchReadiness(service: OwnService): Promise<Readiness> {
  const response = await ask(service, '/readyz?verbose');
  if (response === null) return { problem: 'does not answer', parts: [] };
  const shaped = readShape(AnswerSchema, parseJson(await response.text().catch(() => '')));
  // Something else may answer there.
  const { detail, parts = [] } = 'value' in shaped ? shaped.value : {};
  if (response.ok) return { problem: null, parts };
  const why = detail === undefined ? '' : `: ${visibleInTerminal(detail)}`;
  return { problem: `answers ${response.status}${why}`, parts };
}

/** Returns the version of a service; null if it does not report one. */
export async function fetchVersion(service: OwnService): Promise<string | null> {
  const text = await ask(service, '/api/about').then(
    (response) => response?.text() ?? '',
    () => '',
  );
  const shaped = readShape(Type.Object({ version: Type.String() }), parseJson(text));
  return 'value' in shaped ? shaped.value.version : null;
}

async function ask({ url, ...how }: OwnService, path: string): Promise<Response | null> {
  return await fetch(`${url}${path}`, { ...how, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
}

/** A service on this machine, and how `fetch` is to ask it. */
interface OwnService {
  /** URL without the path of an operation. */
  readonly url: string;
  readonly unix?: string;
  readonly tls?: { readonly rejectUnauthorized: boolean };
}

/** Settings of the address of this host's service. */
interface OwnServiceSettings {
  readonly listen: readonly ListenAddress[];
  readonly base_path: string;
  readonly tls_certificate: string | null;
}

/** The service that has such settings, at the first of the addresses on which it listens. */
export function ownService({
  listen: [address],
  base_path: basePath,
  tls_certificate: certificate,
}: OwnServiceSettings): OwnService {
  if (address === undefined || address.kind === 'unix') {
    return { url: `http://localhost${basePath}`, ...(address && { unix: address.path }) };
  }
  const authority = `${hostInUrl(reachable(address.host))}:${address.port}${basePath}`;
  // The service is asked on this host, whose name differs from the certificate's.
  return certificate === null
    ? { url: `http://${authority}` }
    : { url: `https://${authority}`, tls: { rejectUnauthorized: false } };
}

/** Returns the address of a service or one of its operations, for people. */
export function addressOf({ url, unix }: OwnService, path = ''): string {
  return unix === undefined ? `${url}${path}` : `unix:${unix}`;
}

/** The address under which a service that listens on all addresses can be reached from here. */
function reachable(host: string | null): string {
  if (host === null || host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
