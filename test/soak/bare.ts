/** Where the bare server listens in the namespace. */
export const BARE_PORT = 8081;

/** Runs in the namespace, as a process of its own: a server that does nothing, whose delays are the machine's. */
if (import.meta.main) {
  Bun.serve({ hostname: '127.0.0.1', port: BARE_PORT, fetch: () => new Response('live') });
  process.stdout.write('ready\n');
}
