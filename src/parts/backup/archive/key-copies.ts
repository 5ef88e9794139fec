import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Type } from '@sinclair/typebox';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';

/** The note beside a key: which key was copied, and when. */
const NoteSchema = Type.Object({ key: Type.String(), copied_at: Type.String() });

const noteOf = (keyPath: string) => `${keyPath}.copied`;

/** Notes beside the key that the operator has a copy of it. */
export function noteKeyCopy(keyPath: string, key: string, nowMs: number): void {
  const [path, draft] = [noteOf(keyPath), `${noteOf(keyPath)}.new`];
  writeFileSync(draft, `${JSON.stringify({ key, copied_at: new Date(nowMs).toISOString() })}\n`, { mode: 0o644 });
  renameSync(draft, path);
}

/** Returns when a key was copied last; null if no copy of it is noted. */
export function keyCopiedAt(keyPath: string, key: string): string | null {
  try {
    const shaped = readShape(NoteSchema, parseJson(readFileSync(noteOf(keyPath), 'utf8')));
    return 'value' in shaped && shaped.value.key === key ? shaped.value.copied_at : null;
  } catch {
    return null;
  }
}
