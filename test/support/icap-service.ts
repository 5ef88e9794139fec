import { type Service, startService } from './service.ts';

/** A running service that answers ICAP. */
export interface IcapService {
  readonly service: Service;
  /** Of the first `icap_listen`. */
  readonly port: number;
}

/** Starts a service that answers ICAP on a free port; see {@link startService}. */
export async function startIcapService(dataDir: string, args: readonly string[] = []): Promise<IcapService> {
  const service = await startService(dataDir, ['--icap-listen', '127.0.0.1:0', ...args]);
  return { service, port: icapPorts(service)[0] ?? 0 };
}

/** Ports of ICAP in the order of the settings. */
export function icapPorts(service: Service): number[] {
  const ready = service.events().find(({ event }) => event === 'server.listening');
  const urls = Array.isArray(ready?.['icap_urls']) ? ready['icap_urls'] : [];
  return urls.map((url) => Number(new URL(String(url)).port));
}
