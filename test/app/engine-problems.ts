import { type Config, SETTINGS } from '#src/app/config.ts';
import { openEngine, STORE_NONE } from '#src/app/engine.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { SettingsError } from '#src/core/base/settings/setting-source.ts';

/** What the engine finds wrong with settings; nothing where it opens. */
export async function problemsOfEngine(settings: Partial<Config>): Promise<readonly string[]> {
  const config: Config = { ...defaultsOf(SETTINGS), network: 'none', ...settings };
  const logger = createLogger('error', () => {});
  try {
    await using _engine = await openEngine(config, { store: STORE_NONE, logger });
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}
