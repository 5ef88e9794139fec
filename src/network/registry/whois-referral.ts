import { parseIp } from '#src/core/base/addresses/ip.ts';
import type { WhoisField } from './whois-fields.ts';

/** IANA uses `refer` or `whois`; the thin registries name the registrar's server. */
const REFERRAL_KEYS = ['registrar whois server', 'whois server', 'refer', 'whois'];

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const NUMERIC_LABEL = /^(?:\d+|0x[0-9a-f]*)$/;

/**
 * Returns the server that an answer refers to. A referral is untrusted input: only a plain host name is accepted, never
 * an address, a port, a URL or a name that can be read as a number (`127.1`), and the port is always 43.
 */
export function readReferral(fields: readonly WhoisField[]): string | null {
  const value = fields.find((field) => REFERRAL_KEYS.includes(field.key))?.value;
  return value === undefined ? null : readServerName(value);
}

function readServerName(text: string): string | null {
  const name = text.toLowerCase().replace(/\.$/, '');
  const labels = name.split('.');
  if (name.length > 253 || labels.length < 2 || parseIp(name) !== null) return null;
  if (!labels.every((label) => LABEL.test(label)) || NUMERIC_LABEL.test(labels.at(-1) ?? '')) return null;
  return name;
}
