import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { AssessSettings, Models, VerdictSettings } from '#src/engine/assess/settings.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import type { ListSettings } from '#src/network/lists/settings.ts';

/** The active models, settings and lists. */
export interface ScoringContext {
  readonly models: Models;
  readonly settings: AssessSettings;
  readonly lists: LocalLists;
}

/** A running service, whose latest checks show the effect of a change. */
export interface PreviewView {
  readonly dataDir: string;
  readonly settings: () => VerdictSettings & ListSettings;
  readonly scoring: () => ScoringContext;
  readonly log: Pick<ScanLog, 'read'>;
}
