import { startServer, resultOf } from '#test/server/running-server.ts';
let n = 0;
const s = startServer({ settings: { rateLimit: Number(process.argv[2] ?? 0) }, check: (r) => { n++; if ((n & 1023) === 0) s.requests.length = 0; return Promise.resolve(resultOf(r)); } });
console.log(s.port);
setTimeout(() => process.exit(0), 8000);
