import { clientAddress, UNIX_PEER } from '#src/core/base/addresses/client-address.ts';
import { formatCidr, formatIp } from '#src/core/base/addresses/ip.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { openDnsUpstream } from '#src/network/egress/dns/upstream.ts';
import { createPolicy } from '#src/network/egress/policy/policy.ts';
import { better, broken, type Examination, well } from './finding.ts';

/** Addresses that a link may lead to and that most hosts must not reach: one of each kind. */
const INNER = {
  'this host': '127.0.0.1',
  'private networks': '10.0.0.1',
  'cloud metadata': '169.254.169.254',
};

/** An address for documentation (RFC 5737), which no client has. */
const STRANGER = '198.51.100.7';

/** True if names can be looked up. */
export const examineResolver: Examination = async (config) => {
  if (config.network === 'none') return [well('resolver', 'skipped (network = none)')];
  const logger = createLogger('error', () => {});
  using dns = openDnsUpstream(config, { clock: systemClock, logger });
  if (await dns.isAlive()) return [well('resolver', 'A resolver answers.')];
  const advice = 'Set dns_server to one that answers; on an air-gapped host, set network = "none".';
  return [broken('resolver', 'No resolver answers.', advice)];
};

/** Reports the addresses that checks may reach, by the policy alone, without sending a packet. */
export const examineEgress: Examination = async (config) => {
  if (config.network !== 'full') return [well('egress', `Checks open no connections (network = ${config.network}).`)];
  const policy = createPolicy(config);
  const open = Object.entries(INNER).filter(([, address]) => policy.checkAddress(address, 443) === null);
  if (open.length === 0) return [well('egress', 'Checks cannot reach this host, private networks or cloud metadata.')];
  const text = `Checks can reach ${open.map(([what]) => what).join(', ')}.`;
  return [better('egress', text, 'Clients can use links to probe them: restrict egress_allow to what is needed.')];
};

/** Whom a request that came through a proxy would count for. */
export const examineProxies: Examination = async ({ trusted_proxy: trusted }) => {
  if (trusted.length === 0) {
    return [well('proxy', 'No proxy is trusted: each request is attributed to its source address.')];
  }
  return trusted.map((proxy) => {
    const peer = proxy === UNIX_PEER ? UNIX_PEER : formatIp(proxy.network);
    const client = clientAddress(peer, new Headers({ 'x-forwarded-for': STRANGER }), trusted);
    const shown = proxy === UNIX_PEER ? 'a unix socket' : formatCidr(proxy);
    const said = `A request of ${STRANGER} that comes through ${shown} is attributed to ${client ? formatIp(client) : 'nobody'}.`;
    if (proxy !== UNIX_PEER && proxy.bits === 0) {
      return better(
        'proxy',
        said,
        'Every address is a trusted proxy and can impersonate any client: list your own proxies only.',
      );
    }
    return client && formatIp(client) === STRANGER
      ? well('proxy', said)
      : better('proxy', said, 'Another block of trusted proxies contains the clients, too: make it narrower.');
  });
};
