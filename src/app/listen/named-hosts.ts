import { classifyAddress } from '#src/core/base/addresses/address-class.ts';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import { type Endpoint, lookUpConfiguredHost } from '#src/network/egress/endpoint.ts';

/** Interval of resolving the names of unused servers, such as a standby, in milliseconds. */
const LOOK_EVERY_MS = 60_000;

/** A service of the operator. */
export interface OperatorsService {
  /** A name, an address, or the folder of a unix socket. */
  readonly host: string;
  readonly port: number;
  /** True if checks may reach its public addresses, which it may share with other sites. */
  readonly mayBePublic?: boolean;
}

/** Follows the names of services, whose addresses checks must not reach; the folder of a unix socket is no host. */
export function createNamedHosts(named: () => readonly OperatorsService[]) {
  const remote = () => named().filter(({ host }) => !host.startsWith('/'));
  const known: Endpoint[] = [];
  let tell = (endpoint: Endpoint): void => void known.push(endpoint);

  async function resolve(host: string, port: number, mayBePublic = false): Promise<readonly string[]> {
    const endpoints = await lookUpConfiguredHost(host, port);
    for (const endpoint of endpoints) {
      const ip = mayBePublic ? parseIp(endpoint.address) : null;
      if (ip === null || classifyAddress(ip) !== 'public') tell(endpoint);
    }
    return endpoints.map(({ address }) => address);
  }

  const lookAtAll = () => Promise.all(remote().map(({ host, port, mayBePublic }) => resolve(host, port, mayBePublic)));

  return {
    /** The addresses of a host; each is kept from checks before it is connected to. */
    resolve,
    /** Reports every address of them, now and whenever their names resolve to others. */
    async keepFrom(deny: (endpoint: Endpoint) => void) {
      tell = deny;
      for (const endpoint of known) deny(endpoint);
      await lookAtAll();
      const timer = remote().length > 0 ? setInterval(() => void lookAtAll(), LOOK_EVERY_MS) : undefined;
      return { [Symbol.dispose]: () => clearInterval(timer) };
    },
  };
}
