import type { Static } from '@sinclair/typebox';
import { ActivitySchema } from '#src/checks/record/activity.ts';
import { GateTestSchema } from '#src/checks/record/gate-test.ts';
import { HistoryPageSchema } from '#src/checks/record/history-page.ts';
import { BackupSchema, BackupsSchema } from '#src/parts/backup/backup-answer.ts';
import {
  ActiveSettingsSchema,
  AuditPageSchema,
  CreatedKeySchema,
  KeysSchema,
  LoggedCheckSchema,
  NodesSchema,
  SessionSchema,
} from '#src/parts/console/answers/console-answers.ts';
import { StatusSchema } from '#src/parts/console/answers/status-answer.ts';
import {
  FoundEntriesSchema,
  ListMatchesSchema,
  ListPageSchema,
  ListsSchema,
  ListVersionsSchema,
  SourcesSchema,
} from '#src/parts/lists/routes/list-answer.ts';
import { GateReportSchema } from '#src/parts/proxy/gate-answer.ts';
import {
  BrandPreviewSchema,
  BrandsSchema,
  FeedbackPageSchema,
  ModelsSchema,
  PacksSchema,
} from '#src/service/server/admin/operator-answers.ts';
import { PreviewedChangeSchema } from '#src/service/server/admin/preview-answer.ts';

/** The schemas of the answers that the console reads, by the path after `/api/`. `*` is a name. */
export const READ_ANSWERS = {
  'GET session': SessionSchema,
  'GET admin/checks': HistoryPageSchema,
  'GET admin/checks/*': LoggedCheckSchema,
  'GET admin/status': StatusSchema,
  'POST admin/list-sources/renew': SourcesSchema,
  'GET admin/settings': ActiveSettingsSchema,
  'GET admin/audit': AuditPageSchema,
  'GET admin/keys': KeysSchema,
  'POST admin/keys': CreatedKeySchema,
  'GET admin/feedback': FeedbackPageSchema,
  'PATCH admin/feedback/*': PreviewedChangeSchema,
  'GET admin/lists': ListsSchema,
  'POST admin/lists': PreviewedChangeSchema,
  'GET admin/lists/*': ListPageSchema,
  'PUT admin/lists/*': PreviewedChangeSchema,
  'DELETE admin/lists/*': PreviewedChangeSchema,
  'GET admin/lists/*/versions': ListVersionsSchema,
  'POST admin/lists/*/rollback': PreviewedChangeSchema,
  'POST admin/lists/*/entries': PreviewedChangeSchema,
  'DELETE admin/lists/*/entries': PreviewedChangeSchema,
  'GET admin/list-entries': FoundEntriesSchema,
  'POST admin/lists/*/removals': PreviewedChangeSchema,
  'POST admin/lists/test': ListMatchesSchema,
  'GET admin/activity': ActivitySchema,
  'POST admin/gate/test': GateTestSchema,
  'GET admin/gate': GateReportSchema,
  'GET admin/brands': BrandsSchema,
  'POST admin/brands': BrandPreviewSchema,
  'DELETE admin/brands/*': BrandPreviewSchema,
  'GET admin/models': ModelsSchema,
  'PUT admin/models/active': PreviewedChangeSchema,
  'POST admin/models/rollback': PreviewedChangeSchema,
  'GET admin/packs': PacksSchema,
  'POST admin/packs': PreviewedChangeSchema,
  'POST admin/packs/rollback': PreviewedChangeSchema,
  'GET admin/nodes': NodesSchema,
  'GET admin/backups': BackupsSchema,
  'POST admin/backups': BackupSchema,
} as const;

/** The answers to some of the requests. */
export type ReadAnswers = { readonly [Request in keyof typeof READ_ANSWERS]?: Static<(typeof READ_ANSWERS)[Request]> };
