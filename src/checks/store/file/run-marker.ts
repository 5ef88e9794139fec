import { existsSync, rmSync, writeFileSync } from 'node:fs';

/** A file that stands while a server runs. */
export interface RunMarker {
  /** Whether the server before this one did not come to its end: killed, or the power was cut. */
  readonly wasUnclean: boolean;
  /** Says that everything is written and closed. */
  end(): void;
}

/** Only the holder of the directory's lock may call this. */
export function beginRun(dataDir: string): RunMarker {
  const path = `${dataDir}/serve.running`;
  const wasUnclean = existsSync(path);
  if (!wasUnclean) writeFileSync(path, '', { mode: 0o600 });
  return { wasUnclean, end: () => rmSync(path, { force: true }) };
}
