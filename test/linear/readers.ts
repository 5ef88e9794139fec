import { startMasking } from '#src/checks/record/redact/mask.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { parseHost } from '#src/core/url/host.ts';
import { createReading } from '#src/engine/message/reading.ts';
import { createCache } from '#src/network/egress/budget/cache.ts';
import { USUAL_HTML_LIMITS } from '#src/network/html/limits.ts';
import type { MarkupEvents } from '#src/network/html/tokenize.ts';
import { MODELS } from '#test/support/models.ts';

/** Takes whatever markup tells. */
const EVENTS: MarkupEvents = {
  open() {},
  close() {},
  text() {},
  comment() {},
  inForeignContent: () => false,
  holdsMarkupAsText: () => false,
  attributesDropped() {},
  isSpent: () => false,
};

const pdfBudget = () => ({ bytes: 10_000_000, values: 1_000_000, isSpent: () => false });

/**
 * What each reader of third-party text takes beside that text. The test derives the readers from the source: exported
 * functions whose first parameter is a text or bytes. One that takes nothing else need not stand here.
 */
export const BESIDE: Readonly<Record<string, () => readonly unknown[]>> = {
  'parts/lists/write-version.ts unusableContent': () => ['has invalid lines'],
  'core/base/addresses/client-address.ts clientAddress': () => [new Headers(), []],
  'core/base/addresses/client-address.ts isTrustedPeer': () => [[]],
  'core/base/text/in-pieces.ts inPieces': () => [512],
  'core/base/text/truncate-text.ts truncateText': () => [512],
  'core/base/text/edit-distance.ts editDistance': () => ['paypal', 2],
  'core/base/text/edit-distance.ts suggest': () => [['check', 'serve']],
  'core/knowledge/mail/mail-phrases.ts mailPhrases': () => ['Ann', 'please pay'],
  'core/url/readable-name.ts isReadableName': () => [() => false],
  'network/certificate/path.ts readSent': () => [createCache(1, systemClock)],
  'network/egress/dns/message.ts number16': () => [0],
  'network/egress/dns/name.ts readName': () => [0],
  'network/egress/endpoint.ts parseEndpoint': () => [53],
  'network/egress/http/body.ts decodeBody': () => ['gzip', 4096],
  'network/egress/endpoint.ts lookUpConfiguredHost': () => [53],
  'network/egress/policy/policy.ts refuseName': () => [[]],
  'admin/active/pack-state.ts readPackStateText': () => ['in-force.json'],
  'network/lists/formats/hosts.ts readHostsLine': () => [1],
  'network/lists/stored/list-state.ts readListStateText': () => ['in-force.json'],
  'network/html/charset.ts decodeHtml': () => [null],
  'network/html/charset.ts decodeReadings': () => [null, 'html'],
  'network/html/content-policy.ts readContentPolicies': () => ['https://a.example/'],
  'network/html/text-sink.ts replaceNuls': () => ['x'],
  'network/html/read-page.ts readPage': () => [{ contentType: 'text/html', url: 'https://a.example/' }],
  'network/html/asset-collector.ts frameSource': () => [new Map()],
  'network/html/addresses.ts resolveUrl': () => ['https://a.example/b'],
  'network/html/scripts/tokens/token-ends.ts findScriptEnd': () => [0],
  'network/html/sniff.ts pageSyntax': () => [null],
  'network/html/scripts/constants/list-methods.ts splitText': () => ['a', { characters: Number.POSITIVE_INFINITY }],
  'network/html/scripts/constants/pure-methods.ts callTextMethod': () => [
    'replaceAll',
    ['a', 'b'],
    { characters: Number.POSITIVE_INFINITY },
  ],
  'network/html/scripts/constants/script-value.ts textValue': () => [null, false],
  'network/html/scripts/effects/callbacks.ts callbackRank': () => [[]],
  'network/html/scripts/tokens/token-ends.ts skipComment': () => [0, 0x2f],
  'network/html/scripts/tokens/token-ends.ts skipNumber': () => [0],
  'network/html/scripts/tokens/token-ends.ts readNames': () => [false],
  'network/html/scripts/tokens/token-ends.ts skipRegex': () => [0],
  'network/html/scripts/tokens/token-ends.ts skipString': () => [0],
  'network/html/scripts/tokens/token-ends.ts skipTemplate': () => [0],
  'network/html/scripts/tokens/token-ends.ts skipWord': () => [0],
  'network/html/tokenize.ts tokenize': () => [EVENTS, USUAL_HTML_LIMITS],
  'network/html/xml/xml-markup.ts readXml': () => [EVENTS, USUAL_HTML_LIMITS, 4096],
  'network/probes/saved-page.ts openSavedPage': () => [4096],
  'network/html/styles/style-sheet.ts readStyleRules': () => [new Set(['a', '.a'])],
  'network/html/text-sink.ts oneLine': () => [160],
  'core/unwrap/in-wrapper.ts carriedUrl': () => [
    { url: 'https://a.example/', host: 'a.example', path: '/', query: '', fragment: '' },
    true,
  ],
  'engine/mail-verdict/mail-sender.ts siteOfAddress': () => [MODELS.knowledge],
  'engine/mail-verdict/carried-call.ts carriedCallIn': () => [
    { host: parseHost('paypal.com') },
    new Map([['charge', 'charged']]),
  ],
  'core/knowledge/brands/misspelling.ts typoBetween': () => ['paypal'],
  'engine/message/text/hosts-in-text.ts isMeantHost': () => ['line'],
  'engine/message/mail/mail-lines.ts decodedBody': () => ['quoted-printable'],
  'engine/message/mail/mail-lines.ts decodeRareCharset': () => ['utf-7', () => ''],
  'engine/message/mail/mail-lines.ts readHeaders': () => [0, 100, () => false],
  'engine/message/mail/mail-lines.ts latin1': () => [0, 10_000],
  'engine/message/mail/mail-lines.ts lineAt': () => [0],
  'engine/message/mail/mail-lines.ts nextLine': () => [0],
  'engine/message/mail/read-mail.ts readMail': () => [createReading(), () => Promise.reject(new Error('no parts'))],
  'engine/message/pictures.ts bitmapPicture': () => [{ width: 1, height: 1, pixels: new Uint8Array(1) }],
  'engine/message/outlook/read-outlook.ts readOutlook': () => [
    createReading(),
    () => Promise.reject(new Error('no parts')),
  ],
  'engine/message/pdf/links-in-pdf.ts linksInPdf': () => ['a.pdf', createReading()],
  'engine/message/pdf/pdf-document.ts openPdf': () => [() => false],
  'engine/message/pdf/pdf-filters.ts unfiltered': () => [
    new Map([['Filter', 'ASCII85Decode']]),
    (value: unknown) => value,
    65_536,
  ],
  'engine/message/pdf/pdf-syntax.ts pdfSyntax': () => [0, 65_536, pdfBudget()],
  'engine/message/page/read-page-markup.ts readPageMarkup': () => [createReading(), null, 'xml'],
  'engine/message/part-kind.ts isXmlPart': () => ['text/html'],
  'engine/message/part-kind.ts partKind': () => ['text/html', new Uint8Array()],
  'engine/message/read-message.ts readInParts': () => ['mail.eml', () => false],
  'engine/message/decode-text.ts unreadableIn': () => ['text'],
  'engine/message/message-link.ts messageLink': () => ['paypal.com'],
  'engine/message/mismatch.ts compareWords': () => ['https://a.example/'],
  'engine/message/mismatch.ts isSameSite': () => ['a.example'],
  'engine/message/mismatch.ts mismatchOf': () => ['https://a.example/'],
  'engine/message/non-web-target.ts classifyTarget': () => ['paypal.com'],
  'engine/message/message-link.ts sentenceAround': () => [10, 20],
  'checks/record/stored-result.ts argsInSentence': () => ['x'],
  'checks/record/redact/secret-value.ts replaceMailAddresses': () => [() => '***'],
  'checks/record/redact/path-place.ts nextAnnouncement': () => ['secret'],
  'checks/record/redact/redact-text.ts redactText': () => [startMasking('secrets')],
  'checks/record/redact/redact-text.ts redactUrl': () => [startMasking('secrets')],
  'checks/record/redact/redact-text.ts replaceTokens': () => [() => '***'],
  'network/registry/suffix-server.ts whoisQuery': () => ['whois.example'],
  'network/registry/whois-answer.ts readWhoisAnswer': () => ['a.example', 0],
};

/** Functions of the same form that read no text of third parties, or only one whose length others bound. */
export const NO_READERS: Readonly<Record<string, string>> = {
  'network/html/scripts/read-scripts.ts createScriptReader': 'the address of a page, 8,192 characters at most',
  'network/html/element-stack.ts traitsOf': 'the name of an element, 64 characters at most',
  'core/knowledge/index.ts loadKnowledge': 'a table that is part of the program',
  'core/knowledge/hosts/popular-sites.ts readPopularSites': 'a table that is part of the program',
  'engine/lexical/model.ts loadLexicalModel': 'a model, whose tables are read as they are',
  'engine/lexical/text-shape.ts createNameGrams': 'a table of a model',
  'engine/lexical/features.ts segment': 'a label of a host, 253 characters at most',
  'engine/lexical/text-shape.ts describeText':
    'a label of a host or the last segment of a path; test/slow measures whole URLs',
  'network/probes/registration.ts queryRdap': 'the address of a registry, which the program knows',
  'network/probes/visit/navigation-headers.ts identityOf': 'a setting of the operator',
  'parts/lists/routes/list-changes.ts importOf': 'the name of a list, which a schema bounds',
  'parts/lists/sources/fetch-source.ts fetchSource': 'the address of a list, from the configuration',
  'checks/record/pack/unpack-record.ts unpackRecord': 'a record of the log, 64 KiB at most',
};
