import { type Static, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { ViaSchema } from '#src/checks/record/decided-by.ts';
import { FAILURES, type FailureCode } from '#src/core/base/failure.ts';
import { CERTIFICATE_FAULTS } from '#src/network/certificate/info.ts';
import type { FieldKind, PageAsset, PageForm, PageLimit, PageOrigin, ScriptMark } from '#src/network/html/document.ts';
import type { FrameSize } from '#src/network/html/styles/style-sheet.ts';
import type { DnsQuestionName, SkipReason } from '#src/network/probes/observations.ts';

// Schema of stored observations. Every member that classification reads has its type, so that a changed or truncated
// file is refused. The compiler compares these shapes with those of the probes, in replay.ts.

const text = Type.String();
const texts = Type.Array(text);
const count = Type.Number();
const flag = Type.Boolean();
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A word of a vocabulary in which an unknown one says nothing, and does no harm. */
const word = <T extends string>(): TUnsafe<T> => Type.Unsafe<T>(text);

const failure = Type.Object({
  code: stringEnum(Object.keys(FAILURES) as FailureCode[]),
  detail: text,
});

const skipReason = stringEnum(
  Object.keys({
    not_applicable: true,
    disabled: true,
    circuit_open: true,
  } satisfies Record<SkipReason, true>) as SkipReason[],
);

const observationOf = <T extends TSchema>(value: T) =>
  Type.Union([
    Type.Object({ state: Type.Literal('observed'), value, elapsedMs: count }),
    Type.Object({ state: Type.Literal('failed'), failure, elapsedMs: count }),
    Type.Object({ state: Type.Literal('skipped'), reason: skipReason }),
  ]);

const addresses = Type.Array(Type.Object({ address: text, ttlSeconds: count }));

const dnsRecords = Type.Object({
  a: addresses,
  aaaa: addresses,
  cname: texts,
  ns: texts,
  mx: Type.Array(Type.Object({ exchange: text, preference: count })),
  soa: orNull(Type.Object({ primary: text, contact: text, serial: count })),
  txt: texts,
  caa: Type.Array(Type.Object({ flags: count, tag: text, value: text })),
  spf: orNull(text),
  dmarc: orNull(text),
  authenticated: flag,
  unanswered: Type.Array(word<DnsQuestionName>()),
});

const registration = Type.Object({
  source: stringEnum(['rdap', 'whois']),
  domain: text,
  registrar: orNull(text),
  createdAt: orNull(text),
  updatedAt: orNull(text),
  expiresAt: orNull(text),
  ageDays: orNull(count),
  statuses: texts,
  nameservers: texts,
  registrantCountry: orNull(text),
});

const certificate = Type.Object({
  trusted: flag,
  faults: Type.Array(stringEnum(CERTIFICATE_FAULTS)),
  subject: text,
  issuer: text,
  sans: texts,
  sanCount: count,
  validFrom: text,
  validTo: text,
  daysRemaining: count,
  ageDays: count,
  key: text,
  signatureAlgorithm: text,
  fingerprintSha256: text,
  chain: texts,
  protocol: text,
});

const form = Type.Object({
  action: orNull(text),
  actionAttribute: orNull(text),
  method: word<PageForm['method']>(),
  fields: Type.Array(
    Type.Object({
      name: text,
      type: text,
      kind: word<FieldKind>(),
      label: text,
      presetEmail: orNull(text),
      positioned: flag,
      concealed: Type.Optional(Type.Literal(true)),
    }),
  ),
  buttonActions: texts,
  buttonTexts: texts,
  scripted: flag,
  element: flag,
  origin: word<PageOrigin>(),
});

const posts = Type.Optional(Type.Literal(true));
const size = Type.Optional(stringEnum<FrameSize>(['hidden', 'part', 'full', 'window']));

const document = Type.Object({
  /** Absent in what version 0.1 printed, as `exits` and `passed` of a visit are. */
  exits: Type.Optional(
    Type.Array(Type.Object({ how: stringEnum(['script', 'form', 'frame', 'link']), url: text, posts })),
  ),
  url: text,
  encoding: text,
  limits: Type.Array(word<PageLimit>()),
  language: orNull(text),
  title: orNull(text),
  base: orNull(text),
  baseUrl: text,
  meta: Type.Record(text, text),
  headings: texts,
  visibleText: text,
  hiddenText: text,
  comments: texts,
  forms: Type.Array(form),
  links: Type.Array(Type.Object({ href: text, url: orNull(text), text, download: flag })),
  assets: Type.Array(Type.Object({ kind: word<PageAsset['kind']>(), source: text, url: orNull(text), alt: text })),
  frames: Type.Array(Type.Object({ source: text, url: orNull(text), inline: flag, size })),
  refreshes: Type.Array(
    Type.Object({
      content: text,
      delaySeconds: orNull(count),
      url: orNull(text),
      followed: Type.Optional(orNull(flag)),
    }),
  ),
  scripts: Type.Object({
    inlineCount: count,
    inlineCharacters: count,
    marks: Type.Array(word<ScriptMark>()),
    endpoints: texts,
    externalCount: Type.Optional(count),
    movesAway: Type.Optional(flag),
    writesUnknown: Type.Optional(flag),
    reloads: Type.Optional(Type.Literal(true)),
  }),
  counts: Type.Object({
    elements: count,
    links: count,
    deadLinks: count,
    images: count,
    fields: count,
    beforeContent: Type.Optional(orNull(count)),
    spelledLetters: count,
    spelledTitleLetters: count,
    handlers: Type.Optional(count),
    openRoots: Type.Optional(count),
  }),
  content: Type.Optional(
    Type.Object({
      isBare: flag,
      isShort: flag,
      unread: orNull(stringEnum(['script', 'frame', 'picture'])),
      ownScripts: texts,
    }),
  ),
});

const visit = {
  redirects: Type.Array(
    Type.Object({
      ...{ url: text, status: count, location: orNull(text), address: text },
      /** Absent in what version 0.1 printed. */
      how: Type.Optional(stringEnum(['http', 'refresh', 'script', 'form', 'frame'])),
    }),
  ),
  finalUrl: text,
  statusCode: count,
  contentLength: count,
  truncated: flag,
  headers: Type.Record(text, text),
  document: orNull(document),
  stopped: orNull(failure),
  exits: Type.Optional(
    Type.Array(Type.Object({ how: stringEnum(['script', 'form', 'frame', 'link', 'refresh']), url: text, posts })),
  ),
};

const page = Type.Object({ ...visit, passed: Type.Optional(Type.Array(Type.Object(visit))) });

const ofHost = {
  dns: observationOf(dnsRecords),
  registration: observationOf(registration),
  certificate: observationOf(certificate),
};

const sighting = orNull(Type.Object({ sites: count, since: text }));

const listHit = orNull(Type.Object({ list: text, entry: text, line: count }));

const listHits = Type.Object({ blocked: listHit, allowed: listHit });

/** Answer of `check --with-observations`, with the members that classification needs. */
export const ObservedSchema = Type.Object({
  url: text,
  timestamp: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' }),
  request_id: text,
  analysis_details: Type.Object({
    analysis_time: count,
    timings: Type.Object({ observe: count, assess: count }),
    via: Type.Optional(ViaSchema),
  }),
  observations: Type.Object({
    ...ofHost,
    page: observationOf(page),
    lists: observationOf(listHits),
    hopLists: Type.Optional(Type.Array(Type.Object({ url: text, hits: listHits }))),
    landing: orNull(Type.Object({ host: text, ...ofHost })),
    campaign: Type.Optional(observationOf(Type.Object({ path: sighting, form: sighting }))),
  }),
});

export type Observed = Static<typeof ObservedSchema>;
