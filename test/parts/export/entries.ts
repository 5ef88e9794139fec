import type { UnreadableResult } from '#src/checks/record/stored-result.ts';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import { type Sample, sampleRecord } from '#test/support/sample-record.ts';

/** A check as a log gives it back. */
export function entryOf(sample: Sample = {}, isDelivered = true): LogEntry {
  return { result: sampleRecord(sample).result, clientHash: null, isDelivered };
}

/** The same, but its record cannot be read. */
export function unreadEntryOf(sample: Sample = {}): LogEntry {
  const { url, malicious_probability, decision, timestamp, request_id } = sampleRecord(sample).result;
  const result: UnreadableResult = {
    url,
    malicious_probability,
    decision,
    timestamp,
    request_id,
    analysis_details: null,
    unreadable: 'it is cut short',
  };
  return { result, clientHash: null, isDelivered: true };
}

/** Entries as they are read. */
export async function* reading(entries: Iterable<LogEntry>): AsyncGenerator<LogEntry> {
  yield* entries;
}

/** All that was written, as one text. */
export async function textOf(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  return new TextDecoder().decode(await bytesOf(pieces));
}

/** All that was written. */
export async function bytesOf(pieces: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
  return await new Response(
    new Blob(await Array.fromAsync(pieces, (piece) => new Uint8Array(Buffer.from(piece)))),
  ).bytes();
}
