import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import type { CertificateAuthority } from '#test/support/certificate-authority.ts';

/** What one address answers; the members are those of the vector file. */
export type Site =
  | string
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly statusSequence?: string;
    };

/** Everything that was asked of the servers. */
export interface WorldLog {
  /** `address:port` of every connection, in order. */
  readonly dialled: string[];
  readonly requests: string[];
  readonly serverNames: unknown[];
  /** Request lines that the proxy got. */
  readonly proxied: string[];
  /** The most connections that waited for their answer at once, at any one address. */
  peak: number;
}

const PORTS = [80, 25, 3000, 8080];

/** Servers on every address of this namespace, so that a connection to where none may go would be seen. */
export async function openWorld(
  sites: Readonly<Record<string, Site>>,
  authority: CertificateAuthority,
): Promise<WorldLog & AsyncDisposable> {
  const log: WorldLog = { dialled: [], requests: [], serverNames: [], proxied: [], peak: 0 };
  const leaf = authority.issue({ subject: 'a.example.net' });
  const open = new Map<string, number>();
  const servers: net.Server[] = [];
  const sockets: Socket[] = [];

  const admit = (socket: Socket): string => {
    const place = placeOf(socket);
    log.dialled.push(place);
    open.set(place, (open.get(place) ?? 0) + 1);
    log.peak = Math.max(log.peak, ...open.values());
    socket.on('error', () => {});
    return place;
  };
  const answer = (socket: Socket, place: string) => {
    socket.once('data', (data) => {
      const request = data.toString('latin1');
      log.requests.push(request);
      const site = sites[place] ?? 404;
      const wait = site === 'slow' ? 20 : 0;
      setTimeout(() => {
        open.set(place, (open.get(place) ?? 1) - 1);
        socket.end(render(site, request));
      }, wait);
    });
  };
  const listen = async (server: net.Server, port: number, host: string) => {
    servers.push(server);
    server.on('connection', (socket: Socket) => sockets.push(socket));
    server.listen({ port, host, ipv6Only: host === '::' });
    await once(server, 'listening');
  };

  const refusing = Object.keys(sites).filter((place) => sites[place] === 'refused');
  const hosts = refusing.length > 0 ? addressesWithout(sites, refusing) : ['0.0.0.0', '::'];
  for (const host of hosts) {
    for (const port of PORTS)
      await listen(
        net.createServer((socket) => answer(socket, admit(socket))),
        port,
        host,
      );
    const secure = tls.createServer({
      key: leaf.keyPem,
      cert: leaf.pem,
      SNICallback: (name, proceed) => {
        log.serverNames.push(name);
        proceed(null);
      },
    });
    secure.on('connection', admit);
    secure.on('tlsClientError', () => {});
    secure.on('secureConnection', (socket) => {
      socket.on('error', () => {});
      answer(socket, placeOf(socket));
    });
    await listen(secure, 443, host);
  }
  if (refusing.length === 0)
    await listen(
      net.createServer((socket) => proxy(socket, log)),
      3128,
      '0.0.0.0',
    );

  return Object.assign(log, {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  });
}

function addressesWithout(sites: Readonly<Record<string, Site>>, refusing: readonly string[]): string[] {
  return Object.keys(sites)
    .filter((place) => !refusing.includes(place))
    .map((place) => place.slice(0, place.lastIndexOf(':')));
}

function proxy(client: Socket, log: WorldLog): void {
  client.on('error', () => {});
  client.once('data', (data) => {
    const line = data.toString('latin1').split('\r\n')[0] ?? '';
    log.proxied.push(line);
    const [, host = '', port = ''] = /^CONNECT (\S+):(\d+) HTTP/.exec(line) ?? [];
    const upstream = net.connect({ host, port: Number(port) }, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => client.destroy());
  });
}

function placeOf({ localAddress = '', localPort = 0 }: Socket): string {
  return localAddress.includes(':') ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`;
}

function render(site: Site | number, request: string): string {
  const { status = 404, headers = {}, body = '', statusSequence } = typeof site === 'object' ? site : { status: 200 };
  const next = Number(/^GET \/(\d*)/.exec(request)?.[1] ?? 0) + 1;
  const text = statusSequence?.replace('{n+1}', String(next)) ?? body;
  const lines = Object.entries({ 'Content-Type': 'text/html', 'Content-Length': text.length, ...headers });
  const code = statusSequence === undefined ? status : 200;
  return `HTTP/1.1 ${code} X\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`;
}
