import { ALL_PARTS, type OpenedOf, type PartKey } from '../parts.ts';
import type { OpenedPart, Service } from './service.ts';

/** The open parts of a service. Disposing of them closes them in reverse order. */
export interface OpenedParts extends AsyncDisposable {
  readonly all: readonly OpenedPart[];
  /** Returns a part by its name; null if the settings do not enable it. */
  get<Key extends PartKey>(name: Key): OpenedOf<Key> | null;
}

/** Opens the parts that the settings enable; nothing is loaded of the others. Throws ListenError, SettingsError. */
export async function openParts(service: Service): Promise<OpenedParts> {
  await using opened = new AsyncDisposableStack();
  const byName = new Map<string, OpenedPart>();
  for (const { name, isOn, open } of ALL_PARTS) {
    if (isOn(service.running())) byName.set(name, opened.use(await open(service)));
  }
  const closing = opened.move();
  return {
    all: [...byName.values()],
    get: <Key extends PartKey>(name: Key) => (byName.get(name) ?? null) as OpenedOf<Key> | null,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
