import { connect } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { httpHead, reqmod } from './icap-bytes.ts';

/** What an ICAP service said about one request. */
export interface IcapReply {
  /** Null if the connection was closed without an answer. */
  readonly status: number | null;
  readonly rule: string | null;
  readonly decision: string | null;
  readonly isWatched: boolean;
  readonly istag: string | null;
  /** Status of the response in place of the request; null if the request passes. */
  readonly httpStatus: number | null;
  /** Everything that was received. */
  readonly text: string;
}

/** A request that a proxy asks about. */
export interface AskOptions {
  readonly method?: string;
  /** Lines of the HTTP head. */
  readonly lines?: readonly string[];
  /** Fields of the ICAP head. */
  readonly fields?: readonly string[];
  /** Asks over TLS. */
  readonly tls?: ConnectionOptions;
  /** Address of the service, and the one of this host from which it is asked. */
  readonly place?: { readonly host: string; readonly localAddress?: string };
}

/** Asks about a URL on a connection of its own. */
export async function askIcap(port: number, url: string, options: AskOptions = {}): Promise<IcapReply> {
  const { method = 'GET', lines = ['Accept: text/html'], fields = ['X-Client-IP: 192.0.2.7'], tls, place } = options;
  const http = httpHead(`${method} ${url} HTTP/1.1`, ...lines);
  for (;;) {
    const text = await sendIcap(
      port,
      reqmod(http, { fields: ['Allow: 204', 'Connection: close', ...fields] }),
      tls,
      place,
    );
    const reply = readReply(text);
    // On a busy host the service may have waited for the processor; then it rightly passes everything.
    if (reply.rule !== 'late') return reply;
  }
}

/** Sends bytes and returns everything until the service closes the connection. */
export async function sendIcap(
  port: number,
  bytes: string | Uint8Array,
  tls?: ConnectionOptions,
  place: AskOptions['place'] = { host: '127.0.0.1' },
): Promise<string> {
  const socket = tls ? connectTls({ port, host: '127.0.0.1', ...tls }) : connect({ port, ...place });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', reject);
  socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  socket.write(bytes);
  return await promise;
}

function readReply(text: string): IcapReply {
  const field = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'm').exec(text)?.[1] ?? null;
  const numberIn = (pattern: RegExp) => {
    const found = pattern.exec(text)?.[1];
    return found === undefined ? null : Number(found);
  };
  return {
    status: numberIn(/^ICAP\/1\.0 (\d+)/),
    rule: field('X-Lurecheck-Rule'),
    decision: field('X-Lurecheck-Decision'),
    isWatched: field('X-Lurecheck-Watched') === 'hold',
    istag: field('ISTag'),
    httpStatus: numberIn(/\r\nHTTP\/1\.1 (\d+)/),
    text,
  };
}
