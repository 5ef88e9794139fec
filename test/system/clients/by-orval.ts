import { checkUrl } from './generated/orval';

const [, , , url = ''] = process.argv;
const answer = await checkUrl({ url });
if (answer.status !== 200) throw new Error(answer.data.code);
const { data } = answer;
const probability: number = data.malicious_probability;
const dns = data.analysis_details.dns_records;
const addresses: number = dns.status === 'ok' ? dns.a.length : 0;
const refused = await checkUrl({ url: 'ftp://example.com/' });
const code: string = refused.status === 200 ? '' : refused.data.code;
process.stdout.write(JSON.stringify([probability, data.decision, dns.status, addresses, code]));
