import { FailureError } from '#src/core/base/failure.ts';
import type { Host } from '#src/core/url/host.ts';
import { type DnsAnswer, type DnsRecord, noAddress } from '#src/network/egress/dns/answer.ts';
import type { DnsType } from '#src/network/egress/dns/message.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import { isSpecialKind } from '#src/network/egress/policy/policy.ts';
import type { AddressRecord, DnsRecords, Probe } from './observations.ts';

/** Dependencies of the probe. */
export interface DnsContext {
  readonly egressClient: Pick<EgressClient, 'lookup'>;
}

/**
 * Queries the records of the target's host and its domain in parallel. Fails if no query for the host has an answer.
 */
export const dnsProbe: Probe<DnsRecords, DnsContext> = {
  applies: ({ host }) => host.kind === 'name',

  async observe({ host }, { egressClient }, signal) {
    const domain = host.registrable ?? host.text;
    const ask = <T extends DnsType>(name: string, type: T) => settle(egressClient.lookup(name, type, signal));
    const [a, aaaa, ns, mx, soa, txt, caa, dmarc] = await Promise.all([
      ask(host.text, 'A'),
      ask(host.text, 'AAAA'),
      ask(domain, 'NS'),
      ask(domain, 'MX'),
      ask(domain, 'SOA'),
      ask(domain, 'TXT'),
      ask(domain, 'CAA'),
      ask(`_dmarc.${domain}`, 'TXT'),
    ]);
    const existence = hostAnswer(host, a, aaaa);
    const asked = { A: a, AAAA: aaaa, NS: ns, MX: mx, SOA: soa, TXT: txt, CAA: caa, DMARC: dmarc };
    const texts = values(txt);
    return {
      a: addressesOf(a),
      aaaa: addressesOf(aaaa),
      cname: existence.chain,
      ns: values(ns),
      mx: values(mx),
      soa: values(soa)[0] ?? null,
      txt: texts,
      caa: values(caa),
      spf: texts.find((text) => /^v=spf1(?: |$)/i.test(text)) ?? null,
      dmarc: values(dmarc).find((text) => /^v=DMARC1\s*(?:;|$)/.test(text)) ?? null,
      authenticated: existence.authenticated,
      unanswered: QUESTIONS.filter((question) => !isAnswered(asked[question])),
    };
  },
};

const QUESTIONS = ['A', 'AAAA', 'NS', 'MX', 'SOA', 'TXT', 'CAA', 'DMARC'] as const;

type Settled<T extends DnsType> = DnsAnswer<T> | FailureError;

function settle<T extends DnsType>(lookup: Promise<DnsAnswer<T>>): Promise<Settled<T>> {
  return lookup.catch((error) => {
    if (error instanceof FailureError) return error;
    throw error;
  });
}

/** Returns the answer that shows whether the host exists, or throws the failure of the whole probe. */
function hostAnswer({ text: name }: Host, ...answers: readonly Settled<'A' | 'AAAA'>[]): DnsAnswer<'A' | 'AAAA'> {
  const failures = answers.filter((answer) => answer instanceof FailureError);
  const denial = failures.find(({ code }) => code.startsWith('egress_denied'));
  const given = answers.filter(isAnswer);
  if (denial) throw given.some(({ records }) => records.length > 0) ? mixed(denial) : denial;
  // An alias to a name that does not exist is still a record of the host, and a signal.
  const existing = given.find(({ rcode, chain }) => rcode === 'NOERROR' || chain.length > 0);
  if (existing) return existing;
  const [first] = given;
  throw first ? noAddress(name, first) : (failures[0] ?? new FailureError('dns_server_failure', name));
}

/** Returns the failure for a denial in one family while the other family's addresses are public. */
function mixed(denial: FailureError): FailureError {
  return denial.denied !== null && isSpecialKind(denial.denied)
    ? new FailureError('egress_denied_mixed', denial.message)
    : denial;
}

function isAnswer<T extends DnsType>(answer: Settled<T>): answer is DnsAnswer<T> {
  return !(answer instanceof FailureError);
}

function isAnswered(answer: Settled<DnsType>): boolean {
  return isAnswer(answer) && (answer.rcode === 'NOERROR' || answer.rcode === 'NXDOMAIN');
}

function recordsOf<T extends DnsType>(answer: Settled<T>): readonly DnsRecord<T>[] {
  return isAnswer(answer) ? answer.records : [];
}

function values<T extends DnsType>(answer: Settled<T>) {
  return recordsOf(answer).map(({ data }) => data);
}

function addressesOf(answer: Settled<'A'> | Settled<'AAAA'>): AddressRecord[] {
  return recordsOf<'A' | 'AAAA'>(answer).map(({ data, ttlSeconds }) => ({ address: data, ttlSeconds }));
}
