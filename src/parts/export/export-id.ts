/** The namespace of the ids that exports give out (RFC 9562, 5.5): a random UUID that never changes. */
const NAMESPACE = 'e659ebe7-7411-4266-8f40-b2b00b26cf93';

/** A UUIDv5 for what the words name: the same words have the same id, on every machine and in every export. */
export function exportId(...words: readonly string[]): string {
  return Bun.randomUUIDv5(JSON.stringify(words), NAMESPACE);
}
