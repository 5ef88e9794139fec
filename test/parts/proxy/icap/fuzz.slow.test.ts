import { expect, test } from 'bun:test';
import { createIcapConnection } from '#src/parts/proxy/icap/icap-connection.ts';
import { readHttpRequest, readIdentity } from '#src/parts/proxy/icap/icap-head.ts';
import { createRequestReader } from '#src/parts/proxy/icap/request-reader.ts';
import { EVIL, EVIL_POST, GOOD, HELLO, httpHead, POST, reqmod } from '#test/support/icap-bytes.ts';
import { mutatedBytes } from '#test/support/mutated-bytes.ts';
import { createRandom, type Random } from '#test/support/random.ts';

const SAMPLES = [
  reqmod(GOOD),
  reqmod(EVIL, { fields: [] }),
  reqmod(POST, { body: 'req-body', tail: '0\r\n\r\n' }),
  reqmod(POST, { body: 'req-body', fields: [], tail: HELLO }),
  reqmod(EVIL_POST, { body: 'req-body', fields: ['Allow: 204'], tail: '5;x=y\r\nhello\r\n0\r\nX-T: 1\r\n\r\n' }),
  reqmod(httpHead('CONNECT [2001:db8::1]:443 HTTP/1.1', 'Host: x'), { fields: ['X-Client-IP: ::1', 'Preview: 0'] }),
  reqmod(httpHead('GET /ü?x HTTP/1.1', 'Host: a.example', 'Accept: */*'), {
    fields: ['X-Authenticated-User: V2luTlQ6Ly9BL2I=', 'Allow: 204, 206'],
  }),
  httpHead('OPTIONS icap://check.example/reqmod ICAP/1.0', 'Host: check.example'),
].map((text) => Buffer.from(text));

const PIECES = [
  '\0',
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  ':',
  ' ',
  ',',
  '=',
  '0',
  'ffffffff',
  '-1',
  'null-body=',
  'ü',
  '[',
  '@',
];

const mutated = (random: Random) =>
  mutatedBytes(random, {
    samples: SAMPLES,
    changes: 4,
    piece: (from) => Buffer.from(from.pick(PIECES).repeat(1 + from.below(3))),
  });

/** Everything that a connection answers, and if it ended, for bytes in pieces of at most `size`. */
function answersTo(bytes: Buffer, size: number): string {
  const written: string[] = [];
  const connection = createIcapConnection({
    decide(head, http) {
      const { url } = readHttpRequest(http, head.headers);
      readIdentity(head.headers);
      return {
        marks: {},
        replacement: url?.includes('evil') ? { status: '403 Forbidden', fields: {}, body: null } : null,
      };
    },
    istag: () => '"1"',
    maxConnections: 1,
    now: () => 0,
    write(piece) {
      written.push(Buffer.from(piece).toString('latin1'));
      return true;
    },
    end: () => void written.push('closed'),
  });
  for (let at = 0; at < bytes.length; at += size) connection.receive(bytes.subarray(at, at + size));
  // Pieces of an echoed chunk depend on those that arrived; its bytes do not.
  return written.join('');
}

/** Inputs of a whole run, and the processor time after which a busy or slow host ends it, in milliseconds. */
const INPUTS = 1_000_000;
const MOST_CPU_MS = 60_000;

test('answers or refuses a million damaged inputs, without an exception or unbounded events', () => {
  const random = createRandom(30);
  const start = process.cpuUsage();
  let inputs = 0;
  for (; inputs < INPUTS; inputs++) {
    const bytes = mutated(random);
    const reader = createRequestReader();
    reader.push(bytes);
    let events = 0;
    for (let event = reader.next(); event !== null; event = reader.next()) events++;
    // Each event but the end of a request takes at least one byte.
    if (events > 2 * bytes.length + 1) throw new Error(`${events} events: ${JSON.stringify(bytes.toString('latin1'))}`);
    if (inputs % 10 === 0 && answersTo(bytes, bytes.length || 1) !== answersTo(bytes, 1 + random.below(7))) {
      throw new Error(`depends on its pieces: ${JSON.stringify(bytes.toString('latin1'))}`);
    }
    if (inputs % 1000 === 0) {
      const { user, system } = process.cpuUsage(start);
      if ((user + system) / 1000 > MOST_CPU_MS) break;
    }
  }
  expect(inputs).toBeGreaterThan(INPUTS / 20);
});
