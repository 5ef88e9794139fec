import { resultOf } from '#test/server/running-server.ts';
import { parseTarget } from '#src/url/target.ts';
import { report } from './cpu.tmp.ts';
const big = process.argv[2] === 'big';
const r = resultOf({ target: parseTarget('https://example.com/some/path?query=1') as any, requestId: 'x'.repeat(36), startedAtMs: 0, visibility: 'public', client: null });
let n = 0; report(() => n);
const s = Bun.serve({ port: 0, hostname: '127.0.0.1', reusePort: false, routes: { '/api/check-url': { POST: async (req) => { n++; const b: any = await req.json(); return Response.json(big ? { ...r, url: b.url } : { url: b.url }); } } } });
console.log(s.port);
