import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/core/base/failure.ts';
import type { Hop } from '#src/network/egress/http/hop.ts';
import { timed } from '#test/support/loop-time.ts';
import { PATIENT_MS } from '#test/support/patience.ts';
import { targetOf } from '#test/support/target.ts';
import vectors from '#test/vectors/http-server.json' with { type: 'json' };
import { LATENESS_MS } from './lateness.ts';
import { openLoopback } from './loopback.ts';
import { type Op, serveScript } from './script-server.ts';

const { totalMs, bodyBytes, wireBytes, headerBytes } = vectors.budgets;

async function fetchFrom(port: number, timeoutMs: number): Promise<Hop | string> {
  await using egress = openLoopback([port], {
    body_bytes: bodyBytes,
    wire_bytes: wireBytes,
    header_bytes: headerBytes,
  });
  const request = { url: targetOf(`http://127.0.0.1:${port}/`), timeoutMs };
  return await egress
    .client()
    .fetchHop(request, new AbortController().signal)
    .catch((error) => {
      if (error instanceof FailureError) return error.code;
      throw error;
    });
}

/**
 * Answers that break the protocol and that browsers show all the same. The vectors ask for an error; whoever hides from
 * scanners would answer so, and what Chromium shows is read (`response-reader.test.ts` tells what is made of each).
 */
const SHOWN_BY_BROWSERS = new Set([
  'cl-negative',
  'cl-overflow',
  'cl-junk',
  'cl-plus',
  'chunk-no-crlf',
  'status-negative',
  'status-4digits',
  'version-2',
  'version-lower',
  'nul-first',
  'hdr-space-before-colon',
  'hdr-empty-name',
  'hdr-name-8bit',
]);

describe('a hostile HTTP server', () => {
  for (const { id, group, script, expect: expected } of vectors.vectors) {
    // Where a redirect leads is the page probe's to find out.
    if (group === 'redirect') continue;
    test(`${id}: ${JSON.stringify(expected).slice(0, 90)}`, async () => {
      const ops: readonly Op[] = script;
      await using server = await serveScript(() => ops, ['end', 'rst'].includes(ops[0]?.op ?? ''));
      const outcomes = [expected.outcome].flat();
      const timeoutMs = outcomes.includes('timeout') ? totalMs : PATIENT_MS;
      const { result: got, loopMs } = await timed(() => fetchFrom(server.port, timeoutMs));
      expect(loopMs).toBeLessThan(totalMs + LATENESS_MS);

      await server.closed();
      const outcome = typeof got !== 'string' ? 'response' : got === 'timeout' ? 'timeout' : 'error';
      expect(SHOWN_BY_BROWSERS.has(id) ? ['response'] : outcomes).toContain(outcome);
      if (typeof got === 'string') return;
      if ('status' in expected) expect<unknown>(got.status).toBe(expected.status);
      if ('truncated' in expected) expect<unknown>(got.truncated).toBe(expected.truncated);
      if ('decoded' in expected) expect<unknown>(got.decoded).toBe(expected.decoded);
      if ('body' in expected) expect<unknown>(new TextDecoder().decode(got.body)).toBe(expected.body);
      if ('maxBody' in expected) expect(got.body.length).toBe(bodyBytes);
      expect(got.body.length).toBeLessThanOrEqual(bodyBytes);
      expect(got.wireBytes).toBeLessThanOrEqual(wireBytes + 256 * 1024);
    });
  }
});
