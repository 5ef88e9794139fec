import { USUAL_HTML_LIMITS } from '#src/network/html/limits.ts';
import type { MarkupEvents } from '#src/network/html/tokenize.ts';
import { startMasking } from '#src/checks/record/redact/mask.ts';

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

/**
 * What each reader of third-party text takes beside that text. The test derives the readers from the source: exported
 * functions whose first parameter is a text or bytes. One that takes nothing else need not stand here.
 */
export const BESIDE: Readonly<Record<string, () => readonly unknown[]>> = {
  'analyzers/page/sign.ts found': () => [1],
  'base/cut-short.ts cutShort': () => [512],
  'base/edit-distance.ts editDistance': () => ['paypal', 2],
  'base/suggest.ts suggest': () => [['check', 'serve']],
  'campaigns/unusual-word.ts hasUnusualWord': () => [new Set(['login'])],
  'egress/dns/data.ts number16': () => [0],
  'egress/dns/data.ts number32': () => [0],
  'egress/dns/name.ts readName': () => [0],
  'egress/endpoint.ts parseEndpoint': () => [53],
  'egress/http/body.ts decodeBody': () => ['gzip', 4096],
  'egress/named-endpoints.ts namedEndpoints': () => [53],
  'egress/policy/special-name.ts refuseName': () => [[]],
  'html/charset.ts decodeHtml': () => [null],
  'html/content-policy.ts readContentPolicies': () => ['https://a.example/'],
  'html/frame-size.ts frameSize': () => [new Map([['style', 'width:0']])],
  'html/nul.ts replaceNuls': () => ['x'],
  'html/read-page.ts readPage': () => [{ contentType: 'text/html', url: 'https://a.example/' }],
  'html/resolve-url.ts resolveUrl': () => ['https://a.example/b'],
  'html/script-end.ts findScriptEnd': () => [0],
  'html/script-strings.ts stringArguments': () => ['eval'],
  'html/sniff.ts isHtml': () => [null],
  'html/tokenize.ts tokenize': () => [EVENTS, USUAL_HTML_LIMITS],
  'html/text-sink.ts oneLine': () => [160],
  'knowledge/brand-words.ts isPartOfOtherWord': () => ['paypal', 3],
  'knowledge/misspelling.ts slipBetween': () => ['paypal'],
  'knowledge/extent.ts extentOf': () => [1, 4, new Set(['login'])],
  'lexical/hex-run.ts hexRun': () => [8],
  'message/message-link.ts messageLink': () => ['paypal.com'],
  'message/mismatch.ts isSameSite': () => ['a.example'],
  'message/mismatch.ts mismatchOf': () => ['https://a.example/'],
  'message/non-web-target.ts classifyTarget': () => ['paypal.com'],
  'message/sentence.ts sentenceAround': () => [10, 20],
  'record/reasons/args.ts argsOf': () => ['x'],
  'record/reasons/match-sentence.ts matchSentence': () => ['The path “/a” is like those of phishing sites.'],
  'record/redact/mail-address.ts replaceMailAddresses': () => [() => '***'],
  'record/redact/map-pieces.ts mapPieces': () => [(code: number) => code === 47, (piece: string) => piece],
  'record/redact/path-place.ts nextAnnouncement': () => ['secret'],
  'record/redact/redact-text.ts redactText': () => [startMasking('secrets')],
  'record/redact/redact-text.ts redactUrl': () => [startMasking('secrets')],
  'record/redact/token.ts replaceTokens': () => [() => '***'],
  'registry/query.ts whoisQuery': () => ['whois.example'],
  'registry/whois-answer.ts readWhoisAnswer': () => ['a.example', 0],
};

/** Functions of the same form that read no text of third parties, or only one whose length others bound. */
export const NO_READERS: Readonly<Record<string, string>> = {
  'html/element-traits.ts traitsOf': 'the name of an element, 64 characters at most',
  'knowledge/index.ts loadKnowledge': 'a table that is part of the program',
  'knowledge/popular-sites.ts readPopularSites': 'a table that is part of the program',
  'lexical/model.ts loadLexicalModel': 'a model, whose tables are read as they are',
  'lexical/name-grams.ts createNameGrams': 'a table of a model',
  'lexical/segment.ts segment': 'a label of a host, 253 characters at most',
  'lexical/text-shape.ts describeText':
    'a label of a host or the last segment of a path; test/slow measures whole URLs',
  'probes/rdap.ts askRdap': 'the address of a registry, which the program knows',
  'record/pack/unpack-record.ts unpackRecord': 'a record of the log, 64 KiB at most',
  'record/reasons/args.ts decisiveOf': 'a sentence of the program, by matchSentence',
  'record/reasons/match-sentence.ts fillSentence': 'a sentence of the program',
};
