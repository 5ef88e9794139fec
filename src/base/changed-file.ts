import { statSync } from 'node:fs';

/** Nobody waits longer until a change is seen. */
const LOOK_EVERY_MS = 1000;

/** Looks each second whether a file was replaced, made or removed, and calls `onChanged` where it was. */
export function watchFile(path: string, onChanged: () => void): Disposable {
  let stamp = stampOf(path);
  const timer = setInterval(() => {
    const now = stampOf(path);
    if (now === stamp) return;
    stamp = now;
    onChanged();
  }, LOOK_EVERY_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** What is another whenever the file was replaced; empty where there is none. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.ino} ${found.mtimeNs} ${found.size}` : '';
}
