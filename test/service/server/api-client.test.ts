import { expect, test } from 'bun:test';
import { parseCidr } from '#src/core/base/addresses/ip.ts';
import { CLIENT_VECTORS, expectAnswer, vectorBytes } from '#test/support/client-vectors.ts';
import { rawExchange } from '#test/support/raw-exchange.ts';
import { startServer } from './running-server.ts';

for (const vector of CLIENT_VECTORS.filter(({ slow }) => !slow)) {
  test(`api-client vector ${vector.id}`, async () => {
    const trustedProxy = (vector.config?.trustedProxies ?? [])
      .map(parseCidr)
      .filter((cidr) => typeof cidr === 'object');
    await using server = startServer({ settings: { trusted_proxy: trustedProxy } });
    const response = await rawExchange(server.port, vectorBytes(vector, server.port));
    expectAnswer(vector, response);
    const { publicLog, clientIs } = vector.expect;
    if (response.status !== 200) expect(server.requests).toEqual([]);
    if (publicLog !== undefined) {
      expect(server.requests.some(({ visibility }) => visibility === 'public')).toBe(publicLog);
    }
    if (clientIs !== undefined) {
      expect(server.requests.map(({ client }) => client)).toEqual([clientIs === 'peer' ? '127.0.0.1' : clientIs]);
    }
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    // No fault; a foreign host name is the operator's business.
    expect(server.log.filter((line) => !line.includes('"event":"request.misdirected"'))).toEqual([]);
  });
}
