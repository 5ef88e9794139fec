import type { Static, TSchema } from '@sinclair/typebox';
import { ActivitySchema } from '#src/checks/record/activity.ts';
import { GateTestSchema } from '#src/checks/record/gate-test.ts';
import { HistoryPageSchema } from '#src/checks/record/history-page.ts';
import type * as Shapes from '#src/interfaces/ui/console/api/shapes.ts';
import { AuditPageSchema } from '#src/service/server/admin/audit-route.ts';
import { BackupSchema, BackupsSchema } from '#src/service/server/admin/backup-routes.ts';
import { BrandPreviewSchema, BrandsSchema } from '#src/service/server/admin/brand-routes.ts';
import { LoggedCheckSchema } from '#src/service/server/admin/check-routes.ts';
import { FeedbackPageSchema } from '#src/service/server/admin/feedback-routes.ts';
import { GateReportSchema } from '#src/service/server/admin/gate-route.ts';
import { CreatedKeySchema, KeysSchema } from '#src/service/server/admin/keys-routes.ts';
import {
  FoundEntriesSchema,
  ListMatchesSchema,
  ListPageSchema,
  ListsSchema,
  ListVersionsSchema,
} from '#src/service/server/admin/list-shapes.ts';
import { ModelsSchema } from '#src/service/server/admin/model-routes.ts';
import { NodesSchema } from '#src/service/server/admin/node-route.ts';
import { PacksSchema } from '#src/service/server/admin/pack-routes.ts';
import { ActiveSettingsSchema } from '#src/service/server/admin/settings-route.ts';
import { SourcesSchema, StatusSchema } from '#src/service/server/admin/status-route.ts';
import { PreviewedChangeSchema } from '#src/service/server/admin/verdict-preview.ts';
import { SessionSchema } from '#src/service/server/session/session-route.ts';

/** A schema of the API; the compiler rejects one that lacks what the page reads in the answer. */
const readAs =
  <Shown>() =>
  <Schema extends TSchema>(schema: Static<Schema> extends Shown ? Schema : never): Schema =>
    schema;

const previewed = readAs<{ readonly preview: Shapes.ChangePreview }>()(PreviewedChangeSchema);
const attacked = readAs<Shapes.ShownTrial>()(BrandPreviewSchema);

/** The schemas of the answers that the console reads, by the path after `/api/`. `*` is a name. */
export const READ_ANSWERS = {
  'GET session': readAs<Shapes.SessionState>()(SessionSchema),
  'GET admin/checks': HistoryPageSchema,
  'GET admin/checks/*': readAs<Shapes.ShownLog>()(LoggedCheckSchema),
  'GET admin/status': readAs<Shapes.ShownStatus>()(StatusSchema),
  'POST admin/list-sources/renew': readAs<Shapes.Items<Shapes.ShownSource>>()(SourcesSchema),
  'GET admin/settings': readAs<Shapes.Items<Shapes.SettingRow>>()(ActiveSettingsSchema),
  'GET admin/audit': readAs<Shapes.AuditPage>()(AuditPageSchema),
  'GET admin/keys': readAs<Shapes.Items<Shapes.KeyRow>>()(KeysSchema),
  'POST admin/keys': readAs<Shapes.CreatedKey>()(CreatedKeySchema),
  'GET admin/feedback': readAs<Shapes.FeedbackPage>()(FeedbackPageSchema),
  'PATCH admin/feedback/*': previewed,
  'GET admin/lists': readAs<Shapes.Items<Shapes.ListRow>>()(ListsSchema),
  'POST admin/lists': previewed,
  'GET admin/lists/*': readAs<Shapes.ListPage>()(ListPageSchema),
  'PUT admin/lists/*': previewed,
  'DELETE admin/lists/*': previewed,
  'GET admin/lists/*/versions': readAs<Shapes.Items<Shapes.ListVersion>>()(ListVersionsSchema),
  'POST admin/lists/*/rollback': previewed,
  'POST admin/lists/*/entries': previewed,
  'DELETE admin/lists/*/entries': previewed,
  'GET admin/list-entries': readAs<Shapes.FoundPage>()(FoundEntriesSchema),
  'POST admin/lists/*/removals': previewed,
  'POST admin/lists/test': readAs<Shapes.ListMatches>()(ListMatchesSchema),
  'GET admin/activity': ActivitySchema,
  'POST admin/gate/test': GateTestSchema,
  'GET admin/gate': readAs<Shapes.GateState>()(GateReportSchema),
  'GET admin/brands': readAs<Shapes.Items<Shapes.BrandRow>>()(BrandsSchema),
  'POST admin/brands': attacked,
  'DELETE admin/brands/*': attacked,
  'GET admin/models': readAs<Shapes.ShownModels>()(ModelsSchema),
  'PUT admin/models/active': previewed,
  'POST admin/models/rollback': previewed,
  'GET admin/packs': readAs<Shapes.ShownPacks>()(PacksSchema),
  'POST admin/packs': previewed,
  'POST admin/packs/rollback': previewed,
  'GET admin/nodes': readAs<Shapes.Items<Shapes.NodeRow>>()(NodesSchema),
  'GET admin/backups': readAs<Shapes.Backups>()(BackupsSchema),
  'POST admin/backups': BackupSchema,
} as const;

/** The answers to some of the requests. */
export type ReadAnswers = { readonly [Request in keyof typeof READ_ANSWERS]?: Static<(typeof READ_ANSWERS)[Request]> };
