import { type Static, Type } from '@sinclair/typebox';
import { MAX_URL_LENGTH } from '#src/core/url/target.ts';
import { byComponent, COMPONENTS, type Component } from '#src/engine/analyzers/index.ts';
import type { Coverage, Decision, HopKind } from '#src/engine/fusion/fuse.ts';
import type { ReasonArgs } from '#src/engine/reasons/reason.ts';
import type { RenderStatus } from '#src/network/probes/observations.ts';
import {
  boundedList,
  boundedText,
  boundedTextOrNull,
  boundedTexts,
  stringEnum,
  TruncatedSchema,
} from './bounded-schema.ts';
import { DecidedBySchema, GateMarkSchema, ViaSchema } from './decided-by.ts';
import { CertInfoSchema, DnsRecordsSchema, UnavailableSchema, WhoisInfoSchema } from './lookups.ts';

/** Schema of a reason without words. */
export const ShortReasonSchema = Type.Object(
  {
    code: Type.String({ description: 'Stable name of the reason' }),
    weight: Type.Number({ description: 'Log-odds (nats) that it adds, to two decimals' }),
  },
  { $id: 'ShortReason', description: 'A reason without words' },
);

const LookalikeSchema = Type.Object(
  {
    character: boundedText('The character in the host'),
    looks_like: boundedText('The ASCII text that it resembles'),
  },
  { $id: 'Lookalike', description: 'A character that looks like ASCII' },
);

/** `analysis_details.host_parts`: parts of the host that show a person who owns it. */
const HostPartsSchema = Type.Object(
  {
    ascii: boundedText('The host in lower-case ASCII (punycode)'),
    unicode: boundedText('The host in Unicode'),
    subdomain: boundedText('Labels left of the site; empty if there are none'),
    site: boundedText('The part of the host that one publisher controls; the host itself if it has no such part'),
    registrable_domain: boundedTextOrNull(
      'The domain that a registry registered; null for an address or a bare suffix',
    ),
    lookalikes: boundedList(LookalikeSchema, 'Characters that look like ASCII ones'),
  },
  { $id: 'HostParts', description: 'The parts of the host, which show who controls it' },
);

export type HostParts = Static<typeof HostPartsSchema>;

/** All decisions, mildest first. */
export const DECISIONS = ['allow', 'warn', 'block'] as const satisfies readonly Decision[];

/** Coverage levels, from the whole page to the URL alone. */
export const COVERAGES = ['full', 'partial', 'url_only'] as const satisfies readonly Coverage[];

/** Kinds of steps from a URL to another. */
export const HOP_KINDS = ['http', 'refresh', 'script', 'form', 'frame', 'link'] as const satisfies readonly HopKind[];

/** `allow`, `warn` or `block`. */
export const DecisionSchema = stringEnum<Decision>(DECISIONS, {
  $id: 'Decision',
  description: 'Verdict: below the `warn` threshold `allow`, from the `block` threshold on `block`, `warn` between',
});

const probability = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const ScoreSchema = Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
  description: 'Sigmoid of the sum of the weights: 0.5 is neutral; null if there was nothing to classify',
});

/** Schema of the arguments of a reason. */
export const ReasonArgsSchema = Type.Unsafe<ReasonArgs>(
  Type.Object(
    {},
    {
      $id: 'ReasonArgs',
      description:
        'Parameters of the sentence under stable names, for a sentence in another language; `kind` if the code has several sentences, `inside` for the host of a link within the link or of a redirect target, `how` for the kind of that redirect',
      examples: [{ kind: 'many', suffix: 'example' }],
      additionalProperties: Type.Union([Type.String(), Type.Number()]),
    },
  ),
);

const ReasonSchema = Type.Object(
  {
    component: stringEnum<Component>(COMPONENTS, { $id: 'Component', description: 'Component that found it' }),
    code: Type.String({ description: 'Stable name of the reason', examples: ['url.suffix'] }),
    message: boundedText('The reason in a sentence'),
    args: ReasonArgsSchema,
    weight: Type.Number({ description: 'Log-odds (nats) that it adds; positive values indicate phishing' }),
  },
  { $id: 'Reason', description: 'Evidence for or against phishing' },
);

const CounterfactualReasonSchema = Type.Object(
  {
    decision: DecisionSchema,
    code: Type.String({ description: 'Name of the deciding reason' }),
    args: ReasonArgsSchema,
  },
  { $id: 'CounterfactualReason', description: 'The decision without one reason, and that reason' },
);

/** Schema of the coverage; `coverageOf` defines it. */
export const CoverageSchema = stringEnum<Coverage>(COVERAGES, {
  $id: 'Coverage',
  description:
    'How much of what a person would see the verdict is based on. `full`: the page was parsed to its end, or supplied by the client, and shows its content itself. `partial`: some of it was read; the page was cut off, scripts draw it, or a frame that fills it, or a step that it takes by itself, was not read. `url_only`: nothing of a page was parsed, or the answer was not the page of the site (an error status, a bot challenge, a captive portal)',
});

const HopKindSchema = stringEnum<HopKind>(HOP_KINDS, {
  $id: 'HopKind',
  description:
    'How the page or the server sends visitors on. `http`: status and `Location`. `refresh`: `Refresh` header or `meta` element. `script`: an address that a script of the page goes to. `form`: the target of a form that a script submits. `frame`: a frame that fills the page. `link`: the only link or button of a page without other content',
});

const RedirectSchema = Type.Object(
  {
    url: boundedText('URL that sends visitors on'),
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status of its response; null for a hop that was found in the page',
    }),
    location: boundedTextOrNull('URL that the hop leads to; null if it names no usable one'),
    address: boundedTextOrNull(
      'Address that answered; null if policy refused the name, and for a hop that was found in the page',
    ),
    how: HopKindSchema,
    followed: Type.Boolean({ description: 'False if `location` was classified but not fetched' }),
    malicious_probability: Type.Union(
      [probability('Probability that the URL of `location` is malicious'), Type.Null()],
      {
        description:
          'Probability that `location` is malicious, by its URL alone; null if it names no usable URL, and in records of version 0.1',
      },
    ),
    decision: Type.Union([DecisionSchema, Type.Null()], {
      description: 'Verdict on `location` by its URL alone; null with `malicious_probability`',
    }),
  },
  { $id: 'Redirect', description: 'A step from one URL to the next' },
);

const FormSchema = Type.Object(
  {
    action: boundedTextOrNull('Target of the form; null if only a script determines it'),
    method: Type.String({ description: '`get`, `post` or `dialog`' }),
    fields: boundedTexts('Kinds of its fields'),
  },
  { $id: 'PageForm', description: 'A form of the page' },
);

const PageSchema = Type.Object(
  {
    truncated: TruncatedSchema,
    title: boundedTextOrNull('Title of the page'),
    forms: boundedList(FormSchema, 'Forms of the page'),
  },
  { $id: 'Page' },
);

const BrandSchema = Type.Object(
  {
    name: Type.String({ description: 'Brand that the URL or the page claims' }),
    confidence: probability('How sure the claim is'),
    domains: Type.Array(Type.String(), { description: "The brand's own domains" }),
  },
  { $id: 'Brand' },
);

/** Schema of thresholds. */
export const ThresholdsSchema = Type.Object(
  { warn: probability('From here on `warn`'), block: probability('From here on `block`') },
  { $id: 'Thresholds', description: 'Thresholds of the decision' },
);

const TimingsSchema = Type.Object(
  {
    observe: Type.Number({ description: 'Seconds for observing the target' }),
    assess: Type.Number({ description: 'Seconds for classifying the observations' }),
  },
  { $id: 'Timings', description: 'Seconds by stage' },
);

const LandingSchema = Type.Object(
  {
    host: boundedText('The host on which the redirects ended'),
    dns_records: DnsRecordsSchema,
    whois_info: WhoisInfoSchema,
    cert_info: CertInfoSchema,
  },
  { $id: 'Landing', description: 'Lookups of the site on which the redirects ended' },
);

const ScreenshotSchema = Type.Object(
  {
    sha256: Type.String({ description: 'Hash of the file' }),
    width: Type.Integer({ description: 'Width in pixels' }),
    height: Type.Integer({ description: 'Height in pixels' }),
    url: Type.Union([Type.String(), Type.Null()], {
      description: 'Path of the file for a day, for who has the answer; null if it is not kept, and in the history',
    }),
    fields: Type.Optional(
      Type.Array(Type.Array(Type.Integer(), { minItems: 4, maxItems: 4 }), {
        maxItems: 24,
        description:
          'Fields into which one types: left, top, width and height of each, in pixels; absent in records of earlier versions',
      }),
    ),
    own_picture: Type.Optional(
      Type.String({
        description:
          'Name of the picture of an own page that the page looks like: `/api/screenshots/{name}`; absent for other pages',
      }),
    ),
  },
  { $id: 'Screenshot', description: 'A picture of a page' },
);

const RenderSchema = Type.Object(
  {
    status: stringEnum<RenderStatus>(['ok', 'skipped', 'timeout', 'overloaded', 'error', 'disabled'], {
      $id: 'RenderStatus',
      description:
        '`ok`: the page is what the browser showed. `skipped`: not needed. `disabled`: the settings exclude this check. `overloaded`: no place was free in time. Otherwise the verdict is based on the visit without a browser',
    }),
    final_url: boundedTextOrNull('Last URL of the browser; null if it went nowhere'),
    requests: Type.Integer({ description: 'Requests that the page made' }),
    refused: Type.Integer({ description: 'Connections that the egress policy refused' }),
    seconds: Type.Number({ description: 'Duration of the visit' }),
    screenshot: Type.Union([ScreenshotSchema, Type.Null()], {
      description: 'Picture of the page; null if none was taken',
    }),
  },
  { $id: 'Render', description: 'The visit with a browser' },
);

/** `analysis_details` of a check. */
export const AnalysisDetailsSchema = Type.Object(
  {
    truncated: TruncatedSchema,
    probability: probability('Same as `malicious_probability`'),
    coverage: CoverageSchema,
    caution: Type.Boolean({
      description: 'True for an `allow` with a signal that a person should see before opening the link',
    }),
    html_available: Type.Boolean({ description: 'True if a page was fetched and parsed as HTML' }),
    status_code: Type.Integer({ description: 'HTTP status of the last response; 0 if no page was fetched' }),
    content_length: Type.Integer({ description: 'Bytes of the last body, decompressed; 0 if no page was fetched' }),
    analysis_time: Type.Number({ description: 'Duration of the analysis in seconds' }),
    individual_scores: Type.Object(
      byComponent(() => ScoreSchema),
      { $id: 'IndividualScores', description: 'One score per component; null if it had nothing to classify' },
    ),
    dns_records: DnsRecordsSchema,
    whois_info: WhoisInfoSchema,
    cert_info: CertInfoSchema,
    base_log_odds: Type.Number({ description: 'Log-odds (nats) before any evidence, from the base rate' }),
    reasons: Type.Array(ReasonSchema, {
      description: 'Complete, the strongest first; `base_log_odds` plus all weights is ln(p / (1 − p))',
    }),
    unavailable: Type.Array(UnavailableSchema, { description: 'Components that could not be observed' }),
    thresholds: ThresholdsSchema,
    normalized_url: Type.String({
      maxLength: MAX_URL_LENGTH,
      description: 'Canonical form of the URL; a password is `***`',
    }),
    host_parts: HostPartsSchema,
    final_url: boundedTextOrNull('Where the redirects ended; null if no page was fetched'),
    redirects: boundedList(
      RedirectSchema,
      'Every step to another URL: those that were followed, in order, then those that were found in a page',
    ),
    unwrapped_urls: boundedTexts('URLs found inside the URL, classified as well'),
    brand: Type.Union([BrandSchema, Type.Null()], { description: 'The claimed brand; null if there is none' }),
    page: Type.Union([PageSchema, Type.Null()], { description: 'Content of the page; null if none was read' }),
    counterfactual: boundedTextOrNull('The decision without the one feature that decides'),
    counterfactual_reason: Type.Union([CounterfactualReasonSchema, Type.Null()], {
      description: 'The same for a sentence in another language; null if there is none',
    }),
    timings: TimingsSchema,
    model_version: Type.String({ description: 'Version of the models that classified' }),
    via: ViaSchema,
    decided_by: DecidedBySchema,
    render: Type.Union([RenderSchema, Type.Null()], {
      description: 'The visit with a browser; null if none is configured, and in records of earlier versions',
    }),
    landing: Type.Optional(LandingSchema),
    gate: Type.Optional(GateMarkSchema),
  },
  { $id: 'AnalysisDetails', description: 'Details of the analysis' },
);

/** Members of the details with numbers and the program's own words alone: nothing in them is cut or masked. */
export const OWN_DETAILS: ReadonlySet<string> = new Set([
  'individual_scores',
  'unavailable',
  'thresholds',
  'timings',
] satisfies (keyof Static<typeof AnalysisDetailsSchema>)[]);

/** The answer to a check, in the API and the logs. */
export const CheckResultSchema = Type.Object(
  {
    url: Type.String({ description: 'The URL as it was sent' }),
    malicious_probability: probability('Probability that the URL is malicious, at the active base rate'),
    decision: DecisionSchema,
    analysis_details: AnalysisDetailsSchema,
    timestamp: Type.String({ format: 'date-time', description: 'When the check began, ISO 8601 UTC' }),
    request_id: Type.String({ format: 'uuid', description: 'UUIDv7, also in `X-Request-Id`' }),
  },
  { $id: 'CheckResult', description: 'A finished check' },
);

export type CheckResult = Static<typeof CheckResultSchema>;
export type AnalysisDetails = Static<typeof AnalysisDetailsSchema>;
export type Reason = Static<typeof ReasonSchema>;
export type CounterfactualReason = Static<typeof CounterfactualReasonSchema>;
