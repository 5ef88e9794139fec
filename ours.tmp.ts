import { startServer, resultOf } from '#test/server/running-server.ts';
import { report } from './cpu.tmp.ts';
let n = 0; report(() => n);
const s = startServer({ settings: { rateLimit: Number(process.argv[2] ?? 0) }, check: (r) => { n++; if ((n & 1023) === 0) s.requests.length = 0; return Promise.resolve(resultOf(r)); } });
console.log(s.port);
