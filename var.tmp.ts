import { resultOf } from '#test/server/running-server.ts';
import { parseTarget } from '#src/url/target.ts';
import { SECURITY_HEADERS } from '#src/server/security-headers.ts';
import { report } from './cpu.tmp.ts';
import { Elysia } from 'elysia';
const V = process.argv[2]!;
const r = resultOf({ target: parseTarget('https://example.com/some/path?query=1') as any, requestId: 'x'.repeat(36), startedAtMs: 0, visibility: 'public', client: null });
let n = 0; report(() => n);
const has = (c: string) => V.includes(c);
const handler = async (req: Request, server: any) => {
  n++;
  if (has('i')) server.requestIP(req)?.address;
  if (has('h')) { const h = req.headers; h.get('content-type'); h.get('content-encoding'); h.get('content-length'); h.get('accept'); h.get('sec-fetch-site'); h.get('origin'); h.get('host'); }
  let b: any;
  if (has('b')) b = JSON.parse(new TextDecoder().decode(await req.bytes()));
  else if (has('a')) b = JSON.parse(new TextDecoder().decode(await req.arrayBuffer()));
  else if (has('x')) b = JSON.parse(await req.text());
  else b = await req.json();
  if (has('t')) server.timeout(req, 38);
  const body = JSON.stringify({ ...r, url: b.url });
  if (has('H')) return new Response(body, { headers: { ...SECURITY_HEADERS, 'content-type': 'application/json', 'x-request-id': 'abcabc' } });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
};
if (has('E')) { const app = new Elysia({ serve: { reusePort: false } as any }).post('/api/check-url', ({ request, server }) => handler(request, server)).listen({ port: 0, hostname: '127.0.0.1' }); console.log(app.server!.port); }
else { const s = Bun.serve({ port: 0, hostname: '127.0.0.1', reusePort: false, routes: { '/api/check-url': { POST: handler } } }); console.log(s.port); }
