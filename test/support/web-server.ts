import http, { type IncomingHttpHeaders, type RequestListener } from 'node:http';
import https from 'node:https';
import type { Server } from 'node:net';
import type { Issued } from './certificate-authority.ts';
import { ANY_PORT, type ListenAt, type Listening, listen } from './listen.ts';

/** What a web server answers; 200 and HTML where nothing else is said. */
export interface WebAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The certificate that a server shows, and whatever it sends along. */
export interface ServerCertificate {
  readonly leaf: Issued;
  readonly intermediates?: readonly { readonly pem: string }[];
}

/** An HTTP server, or an HTTPS server where it has a certificate. */
export async function serveWeb(
  answer: (path: string, headers: IncomingHttpHeaders) => WebAnswer | Promise<WebAnswer>,
  certificate: ServerCertificate | null = null,
  at: ListenAt = ANY_PORT,
): Promise<Listening> {
  const respond: RequestListener = (request, response) => {
    void Promise.resolve(answer(request.url ?? '/', request.headers)).then(
      ({ status = 200, headers = {}, body = '' }) => {
        response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
        response.end(body);
      },
    );
  };
  return await listen(certificate ? createSecure(certificate, respond) : http.createServer(respond), at);
}

function createSecure({ leaf, intermediates = [] }: ServerCertificate, respond: RequestListener): Server {
  const cert = [leaf, ...intermediates].map(({ pem }) => pem).join('');
  const server = https.createServer({ key: leaf.keyPem, cert }, respond);
  // Who distrusts the certificate hangs up in the handshake.
  server.on('tlsClientError', () => {});
  return server;
}
