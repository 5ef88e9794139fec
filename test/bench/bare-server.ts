/**
 * The server that `serve.ts` compares with: nothing but `Bun.serve`, which parses the same JSON and answers with as much
 * as a check does. `bun test/bench/bare-server.ts ANSWER_FILE`
 */
const answer = JSON.parse(await Bun.file(process.argv[2] ?? '').text());

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { url } = (await request.json()) as { url: string };
    return Response.json({ ...answer, url });
  },
});
process.stdout.write(`${JSON.stringify({ event: 'server.listening', url: server.url.origin })}\n`);
process.on('SIGTERM', () => void server.stop(true));
