import createClient from 'openapi-fetch';
import type { paths } from './generated/schema';

const [, , baseUrl = '', url = ''] = process.argv;
const client = createClient<paths>({ baseUrl });
const { data, error } = await client.POST('/api/check-url', { body: { url } });
if (error) throw new Error(error.code);
const probability: number = data.malicious_probability;
const dns = data.analysis_details.dns_records;
const addresses: number = dns.status === 'ok' ? dns.a.length : 0;
const refused = await client.POST('/api/check-url', { body: { url: 'ftp://example.com/' } });
const code: string = refused.error?.code ?? '';
process.stdout.write(JSON.stringify([probability, data.decision, dns.status, addresses, code]));
