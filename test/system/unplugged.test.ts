import { describe, expect, test } from 'bun:test';
import type { Observation } from '#src/network/probes/observations.ts';
import { runInNamespace } from './namespace.ts';

interface Check {
  readonly loopMs: number;
  readonly seen: Readonly<Record<string, Observation<unknown> | null>>;
}

/** Ways to be without a network: no route at all, and one behind which nobody answers. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  'without a route': [],
  // What a machine sends to itself without being meant is dropped.
  'with a cable that leads nowhere': ['ip addr add 192.0.2.1/32 dev lo', 'ip route add default dev lo src 192.0.2.1'],
};

const URLS = ['https://www.example.net/', 'http://93.184.215.14/'];

describe.each(Object.entries(WAYS))('a host %s', (_, commands) => {
  test.each(URLS)('returns a result for %s within the deadline, and later ones at once', async (url) => {
    const checks = (await runInNamespace('unplugged-inside.ts', { commands, args: [url] })) as Check[];
    const [first, ...others] = checks;
    expect(first?.loopMs).toBeLessThan(8250);
    for (const { loopMs, seen } of others) {
      expect(loopMs).toBeLessThan(50);
      for (const probe of ['dns', 'registration', 'certificate', 'page']) {
        const observation = seen[probe];
        if (observation?.state === 'failed') expect(observation.failure.code).toBe('unreachable');
        else
          expect(['circuit_open', 'not_applicable']).toContain(
            observation?.state === 'skipped' ? observation.reason : 'circuit_open',
          );
      }
    }
    expect(others.length).toBe(4);
  });
});
