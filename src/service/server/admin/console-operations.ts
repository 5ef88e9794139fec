import type { ActivityRouteParts } from './activity-routes.ts';
import type { BackupRouteParts } from './backup-routes.ts';
import type { BrandRouteParts } from './brand-routes.ts';
import type { ChangeParts } from './change-parts.ts';
import type { CheckLogParts } from './check-routes.ts';
import type { FeedbackReviewParts } from './feedback-routes.ts';
import type { GateRouteParts } from './gate-route.ts';
import type { ListRouteParts } from './list-changes.ts';
import type { ModelRouteParts } from './model-routes.ts';
import type { NodeRouteParts } from './node-route.ts';
import type { PackRouteParts } from './pack-routes.ts';
import type { SettingsRouteParts } from './settings-route.ts';
import type { StatusRouteParts } from './status-route.ts';

/** Operations of the console. */
export type ConsoleOperations = Pick<ModelRouteParts, 'models'> &
  Pick<PackRouteParts, 'packs'> &
  Pick<BrandRouteParts, 'brands'> &
  Pick<BackupRouteParts, 'backups'> &
  Pick<CheckLogParts, 'checks'> &
  Pick<ActivityRouteParts, 'activity'> &
  Pick<GateRouteParts, 'gate'> &
  Pick<FeedbackReviewParts, 'feedback'> &
  Pick<ListRouteParts, 'lists'> &
  Pick<NodeRouteParts, 'nodes'> &
  Pick<SettingsRouteParts, 'activeSettings'> &
  Pick<StatusRouteParts, 'status' | 'renewSources'> &
  Pick<ChangeParts, 'inTurn'>;
