import createClient from 'openapi-fetch';
import type { paths } from './generated/schema';

const [, , baseUrl = '', url = ''] = process.argv;
const client = createClient<paths>({ baseUrl });
const { data, error } = await client.POST('/api/check-url', { body: { url } });
if (error) throw new Error(error.code);
const probability: number = data.malicious_probability;
const dns = data.analysis_details.dns_records;
const addresses: number = dns.status === 'ok' ? dns.a.length : 0;
const message = await client.POST('/api/check-message', { body: { from: 'a@corp.example', text: url, visit: false } });
if (message.error) throw new Error(message.error.code);
const counts: readonly number[] = [message.data.link_count, message.data.unchecked];
if (counts.join() !== '1,0' || message.data.caution) throw new Error(`unexpected ${message.data.decision}`);
const refused = await client.POST('/api/check-url', { body: { url: 'ftp://example.com/' } });
const code: string = refused.error?.code ?? '';
process.stdout.write(JSON.stringify([probability, data.decision, dns.status, addresses, code]));
