import { checkUrl, checkUrlInStages } from './generated/hey-api';
import { client } from './generated/hey-api/client.gen';

const [, , baseUrl = '', url = ''] = process.argv;
client.setConfig({ baseUrl });
const { data, error } = await checkUrl({ body: { url } });
if (!data) throw new Error(error?.code);
const probability: number = data.malicious_probability;
const dns = data.analysis_details.dns_records;
const addresses: number = dns.status === 'ok' ? dns.a.length : 0;
const refused = await checkUrl({ body: { url: 'ftp://example.com/' } });
const code: string = refused.error?.code ?? '';
const { stream } = await checkUrlInStages({ body: { url } });
for await (const event of stream) if (event === undefined) throw new Error('an event says nothing');
process.stdout.write(JSON.stringify([probability, data.decision, dns.status, addresses, code]));
