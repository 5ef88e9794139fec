import type { Coverage } from '#src/engine/fusion/fuse.ts';
import type { AnalysisDetails, CheckResult } from '../check-result.ts';
import { DISABLED_COMPONENTS, DISABLED_LOOKUP } from '../lookups.ts';

/** First byte of each value. */
export const TAG = {
  null: 0,
  false: 1,
  true: 2,
  float: 3,
  integer: 4,
  decimal: 5,
  text: 6,
  /** Text that UTF-8 cannot encode: half of a surrogate pair. */
  units: 7,
  /** A part of the URL. */
  slice: 8,
  /** An earlier text. */
  earlier: 9,
  word: 10,
  list: 11,
  object: 12,
  moment: 13,
  reason: 14,
  sentence: 15,
  /** A single float. In the place of the last word of one byte. */
  single: 127,
} as const;

/** From here on a byte encodes a word, a small number or a shape by itself. */
export const FIRST_WORD = 16;
export const FIRST_NUMBER = 128;
export const FIRST_SHAPE = 224;

/** Version of written records. All earlier versions are readable. */
export const PACK_VERSION = 2;

/** Limits up to which a decimal number takes less space than a double. */
export const MAX_DECIMALS = 6;
export const MAX_SCALED = 100_000_000;

/** Frequent texts of records. A record stores their index: new ones are appended, and none is changed or removed. */
export const WORDS: readonly string[] = [
  '',
  ...['disabled', 'not_applicable', 'not_found', 'timeout', 'unreachable', 'refused_by_policy', 'error', 'ok'],
  ...['url', 'brand', 'page', 'redirects', 'dns', 'registration', 'certificate', 'lists'],
  ...['allow', 'warn', 'block', 'get', 'post', 'dialog', 'rdap', 'whois', 'truncated', 'status'],
  ...['text', 'password', 'email', 'hidden', 'other', 'user_name', 'number', 'phone', 'search', 'textarea', 'file'],
  ...['card_number', 'card_code', 'one_time_code', 'seed_phrase', 'identity_number', 'bank_account'],
  ...['TLSv1.3', 'TLSv1.2', 'RSA 2048', 'RSA 4096', 'EC P-256', 'EC P-384', 'sha256WithRSAEncryption'],
  ...['ecdsa-with-SHA256', 'ecdsa-with-SHA384', 'client transfer prohibited', 'issue', 'issuewild', 'iodef'],
  ...['a password', 'a website builder', 'a free host', 'a platform for web apps', 'a platform for code'],
  ...['a file store', 'a blog platform', 'a link shortener', 'a form platform', 'a dynamic-DNS name'],
  ...['http', 'refresh', 'script', 'frame', 'link', 'full', 'partial', 'url_only'],
];

/** Settings that are active for many checks, stored once for all of them. */
export type ActiveSettings = Pick<AnalysisDetails, 'base_log_odds' | 'thresholds' | 'model_version'>;

/** Values stored beside a packed record, in its row or its active settings, and omitted from it. */
export interface RowContext extends ActiveSettings {
  readonly request_id: string;
  readonly timestamp: string;
  readonly normalized_url: string;
  readonly host: string;
  readonly probability: number;
  readonly decision: CheckResult['decision'];
  /** Both null for a record of version 1. */
  readonly coverage: Coverage | null;
  readonly caution: boolean | null;
}

/** Default of a member: a value, or a value of the row context. Null if there is none. */
export type DefaultValue = { readonly value: unknown } | { readonly beside: keyof RowContext } | null;

/** Members of an object, in order. */
export type Shape = readonly (readonly [name: string, usual: DefaultValue])[];

const value = (usual: unknown): DefaultValue => ({ value: usual });
const beside = (name: keyof RowContext): DefaultValue => ({ beside: name });
const plain = (...names: string[]): Shape => names.map((name) => [name, null]);
const optional = (...names: string[]): Shape => names.map((name) => [name, value(null)]);

const DISABLED = value(DISABLED_LOOKUP);

/** Members after `probability`, which all versions have. */
const COMMON_DETAILS: Shape = [
  ['html_available', value(false)],
  ['status_code', value(0)],
  ['content_length', value(0)],
  ['analysis_time', null],
  ['individual_scores', null],
  ['dns_records', DISABLED],
  ['whois_info', DISABLED],
  ['cert_info', DISABLED],
  ['base_log_odds', beside('base_log_odds')],
  ['reasons', null],
  ['unavailable', value(DISABLED_COMPONENTS)],
  ['thresholds', beside('thresholds')],
  ['normalized_url', beside('normalized_url')],
  ['host_parts', null],
  ['final_url', value(null)],
  ['redirects', value([])],
  ['unwrapped_urls', value([])],
  ['brand', value(null)],
  ['page', value(null)],
  ['counterfactual', value(null)],
  ['timings', null],
  ['model_version', beside('model_version')],
];

/** Differences between the versions of packed records. */
interface Varying {
  readonly details: Shape;
  readonly redirect: Shape;
}

const VERSION_1: Varying = {
  details: [['probability', beside('probability')], ...COMMON_DETAILS],
  redirect: plain('url', 'status', 'location', 'address'),
};

const VERSION_2: Varying = {
  details: [
    ['probability', beside('probability')],
    ['coverage', beside('coverage')],
    ['caution', beside('caution')],
    ...COMMON_DETAILS,
  ],
  redirect: [
    ...plain('url', 'status', 'location', 'address'),
    ['how', value('http')],
    ['followed', value(true)],
    ...plain('malicious_probability', 'decision'),
  ],
};

const TRUNCATED: Shape = [['truncated', value(true)]];

const DNS: Shape = [
  ['status', value('ok')],
  ...['a', 'aaaa', 'cname', 'ns', 'mx'].map((name) => [name, value([])] as const),
  ['soa', value(null)],
  ['txt', value([])],
  ['caa', value([])],
  ...optional('spf', 'dmarc'),
  ['authenticated', value(false)],
];

const WHOIS: Shape = [
  ['status', value('ok')],
  ['source', value('rdap')],
  ...optional('registrar', 'created_at', 'updated_at', 'expires_at', 'age_days'),
  ['statuses', value([])],
  ['nameservers', value([])],
  ['registrant_country', value(null)],
];

const CERTIFICATE: Shape = [
  ['status', value('ok')],
  ['trusted', value(true)],
  ['faults', value([])],
  ...plain('subject', 'issuer', 'sans', 'valid_from', 'valid_to', 'days_remaining', 'age_days', 'key'),
  ...plain('signature_algorithm', 'fingerprint_sha256', 'chain', 'protocol'),
];

const PAGE: Shape = [
  ['title', value(null)],
  ['forms', value([])],
];

/** Shape of a truncated object: fitting a record appends the mark. */
const cut = (shape: Shape): Shape => [...shape, ...TRUNCATED];

/**
 * Returns the shapes of a result's objects in one version. A record stores the index of a shape instead of an object's
 * names: new shapes are appended, and none is changed or removed; a changed shape requires a new version. An object of
 * another shape is stored with its names.
 */
const shapesOf = ({ details, redirect }: Varying): readonly Shape[] => [
  [
    ['url', beside('normalized_url')],
    ['malicious_probability', beside('probability')],
    ['decision', beside('decision')],
    ['analysis_details', null],
    ['timestamp', beside('timestamp')],
    ['request_id', beside('request_id')],
  ],
  details,
  cut(details),
  optional('url', 'brand', 'page', 'redirects', 'dns', 'registration', 'certificate', 'lists'),
  [
    ['ascii', beside('host')],
    ['unicode', beside('host')],
    ['subdomain', value('')],
    ['site', null],
    ['registrable_domain', null],
    ['lookalikes', value([])],
  ],
  plain('observe', 'assess'),
  plain('status'),
  plain('component', 'reason'),
  plain('component', 'code', 'message', 'weight'),
  [
    ['name', null],
    ['confidence', value(1)],
    ['domains', null],
  ],
  PAGE,
  cut(PAGE),
  plain('action', 'method', 'fields'),
  redirect,
  DNS,
  cut(DNS),
  plain('address', 'ttl_seconds'),
  plain('exchange', 'preference'),
  plain('primary', 'contact', 'serial'),
  plain('flags', 'tag', 'value'),
  WHOIS,
  cut(WHOIS),
  CERTIFICATE,
  cut(CERTIFICATE),
  plain('character', 'looks_like'),
  plain('warn', 'block'),
  [...details, ['landing', null]],
  cut([...details, ['landing', null]]),
  plain('host', 'dns_records', 'whois_info', 'cert_info'),
  [...details, ['gate', null]],
  plain('way', 'rule', 'held'),
];

/** The shapes of each version of packed records. */
export const SHAPES: ReadonlyMap<number, readonly Shape[]> = new Map([
  [1, shapesOf(VERSION_1)],
  [PACK_VERSION, shapesOf(VERSION_2)],
]);
