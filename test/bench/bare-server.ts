/**
 * The server that the service is compared with: nothing but `Bun.serve`, which parses the same JSON and sends the headers
 * and as many bytes as a check does. `bun test/bench/bare-server.ts ANSWER_FILE`
 */
const { headers, body }: { headers: Record<string, string>; body: string } = await Bun.file(
  process.argv[2] ?? '',
).json();

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    await request.json();
    return new Response(body, { headers });
  },
});
process.stdout.write(`${JSON.stringify({ event: 'server.listening', url: server.url.origin })}\n`);
process.on('SIGTERM', () => void server.stop(true));
