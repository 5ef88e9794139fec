import { expect, test } from 'bun:test';
import { setting } from '#src/core/base/settings/setting.ts';
import { listOf, wholeNumber } from '#src/core/base/settings/setting-kind.ts';
import { readEnvironment } from '#src/core/base/settings/setting-source.ts';

const TABLE = { egress_port: setting(['serve'], listOf(wholeNumber(1)), [], 'Ports.') };

/** What Kubernetes sets beside a service of that name (its documentation of environment variables). */
const serviceLinks = (service: string) => ({
  [`${service}_SERVICE_HOST`]: '10.0.0.11',
  [`${service}_SERVICE_PORT`]: '8080',
  [`${service}_SERVICE_PORT_HTTP`]: '8080',
  [`${service}_PORT`]: 'tcp://10.0.0.11:8080',
  [`${service}_PORT_8080_TCP`]: 'tcp://10.0.0.11:8080',
  [`${service}_PORT_8080_TCP_PROTO`]: 'tcp',
  [`${service}_PORT_8080_TCP_PORT`]: '8080',
  [`${service}_PORT_8080_TCP_ADDR`]: '10.0.0.11',
  [`${service}_PORT_53_UDP`]: 'udp://10.0.0.11:53',
});

test.each(['LURECHECK', 'LURECHECK_WEB', 'LURECHECK_EGRESS'])(
  'environment variables that link to the service %s are not settings',
  (service) => {
    const links = serviceLinks(service);
    expect(readEnvironment(links, TABLE, [])).toEqual({ rawSettings: [], foreign: Object.keys(links) });
  },
);

test('a variable that only resembles a service link is a setting, known or misspelt', () => {
  const environment = {
    LURECHECK_EGRESS_PORT: '81,82',
    LURECHECK_EGRES_PORT: '81',
    LURECHECK_RATE_PORTS: '1',
    LURECHECK_SERVICES: '1',
    LURECHECK_EXPORT_8080_TCP: '1',
    OTHER_SERVICE_HOST: '10.0.0.11',
  };
  const { rawSettings, foreign } = readEnvironment(environment, TABLE, []);
  expect(foreign).toEqual([]);
  expect(rawSettings.map(({ key, texts }) => [key, ...texts])).toEqual([
    ['egress_port', '81', '82'],
    ['egres_port', '81'],
    ['rate_ports', '1'],
    ['services', '1'],
    ['export_8080_tcp', '1'],
  ]);
});
