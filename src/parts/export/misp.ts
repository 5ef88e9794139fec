import type { LogEntry } from '#src/checks/store/scan-log.ts';
import { plainLine, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { exportId } from './export-id.ts';
import type { ExportSubject } from './export-subject.ts';
import { type Suspect, suspectsAmong } from './suspects.ts';

/**
 * An event of MISP, not published and for the own organisation, with an attribute for each URL that was warned of or
 * blocked. The same selection is the same event: MISP adds to it what has come in since.
 */
export async function* writeMisp(entries: AsyncIterable<LogEntry>, subject: ExportSubject): AsyncGenerator<string> {
  const suspects = suspectsAmong(entries);
  const first = await suspects.next();
  const newest = first.done ? EMPTY_EVENT_DATE : first.value.timestamp;
  const uuid = exportId('event', subject.source, subject.visibility, subject.selection);
  const event = {
    uuid,
    info: `Links that lurecheck on ${subject.source} warned of or blocked`,
    date: newest.slice(0, 'yyyy-mm-dd'.length),
    timestamp: seconds(newest),
    // Undefined and initial: no person has examined it.
    threat_level_id: '4',
    analysis: '0',
    distribution: '0',
    published: false,
    Orgc: { uuid: exportId('identity', subject.source), name: subject.source },
    ...(subject.visibility === 'private' && { Tag: [{ name: 'tlp:red' }] }),
  };
  yield `{"Event":${visibleJson(JSON.stringify(event)).slice(0, -1)},"Attribute":[`;
  let between = '\n';
  for (let one = first; !one.done; one = await suspects.next()) {
    for (const attribute of attributesOf(one.value, uuid)) {
      yield between + visibleJson(JSON.stringify(attribute));
      between = ',\n';
    }
  }
  yield '\n]}}\n';
}

/** The date of an event without a link. */
const EMPTY_EVENT_DATE = '1970-01-01T00:00:00.000Z';

type Attribute = Readonly<Record<string, string | boolean>>;

/** The URL, and with a front page its host. Nothing can be found by a URL that is masked in part. */
function attributesOf(suspect: Suspect, event: string): Attribute[] {
  const { host, url, isFrontPage, isMasked } = suspect;
  const attributes = [attribute('url', url, suspect, event)];
  if (isFrontPage && !isMasked && host) {
    attributes.push(attribute(host.kind === 'name' ? 'hostname' : 'ip-dst', host.text, suspect, event));
  }
  return attributes;
}

function attribute(type: string, value: string, suspect: Suspect, event: string): Attribute {
  const { requestId, timestamp, decision, probability, reason, isMasked } = suspect;
  const at = timestamp.replace(/Z$/, '000+00:00');
  return {
    uuid: exportId('attribute', event, requestId, type),
    type,
    category: 'Network activity',
    value,
    to_ids: decision === 'block' && !isMasked,
    comment: plainLine(`${decision}, probability ${probability.toFixed(3)}. ${reason ?? ''}`),
    timestamp: seconds(timestamp),
    first_seen: at,
    last_seen: at,
    distribution: '5',
  };
}

function seconds(timestamp: string): string {
  return String(Math.floor(Date.parse(timestamp) / 1000));
}
