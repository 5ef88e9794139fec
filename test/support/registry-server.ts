import type { RegistrySettings } from '#src/network/registry/settings.ts';
import { PATIENT_SECONDS } from './patience.ts';
import type { Place } from './place.ts';
import { answerRdap, answerWhois, type Registrations } from './registry.ts';
import { type ServerCertificate, serveWeb } from './web-server.ts';
import { serveWhois } from './whois-server.ts';

/** A registry's two servers. */
export interface RegistryServer extends AsyncDisposable {
  readonly ports: readonly number[];
  /** What makes the product ask them about every suffix. */
  readonly settings: RegistrySettings;
}

/** Starts a registry that answers over RDAP and WHOIS, and notes in `visits` what it was asked. */
export async function serveRegistry(
  registrations: Registrations,
  place: Place,
  certificate: ServerCertificate,
  visits: string[],
): Promise<RegistryServer> {
  await using opened = new AsyncDisposableStack();
  const address = place.registry;
  const overRdap = (path: string) => {
    visits.push(`rdap ${path.split('/').at(-1)}`);
    return answerRdap(registrations, path);
  };
  const overWhois = (query: string) => {
    visits.push(`whois ${query}`);
    return answerWhois(registrations, query);
  };
  const rdap = opened.use(await serveWeb(overRdap, certificate, { address, port: place.ports.https }));
  const whois = opened.use(await serveWhois(overWhois, { address, port: place.ports.whois }));
  const closing = opened.move();
  return {
    ports: [rdap.port, whois.port],
    settings: {
      rdap_server: [{ suffix: '*', server: `https://${place.rdapHost}:${rdap.port}/` }],
      whois_server: [{ suffix: '*', server: `${place.whoisHost}:${whois.port}` }],
      registry_timeout_seconds: PATIENT_SECONDS,
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
