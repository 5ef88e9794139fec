import net from 'node:net';
import { ANY_PORT, type ListenAt, type Listening, listen } from './listen.ts';

/** A WHOIS server (RFC 3912): reads one line, answers it, and closes. */
export async function serveWhois(
  answer: (query: string) => string | Uint8Array,
  at: ListenAt = ANY_PORT,
): Promise<Listening> {
  const server = net.createServer((socket) => {
    let query = '';
    socket.on('data', (data) => {
      query += data.toString('latin1');
      if (query.endsWith('\r\n')) socket.end(answer(query.slice(0, -2)));
    });
  });
  return await listen(server, at);
}
