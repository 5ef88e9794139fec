import { ActivitySchema } from '#src/checks/record/activity.ts';
import { GateTestSchema } from '#src/checks/record/gate-test.ts';
import { AuditPageSchema } from '#src/service/server/admin/audit-route.ts';
import { BackupSchema, BackupsSchema } from '#src/service/server/admin/backup-routes.ts';
import {
  BrandPreviewSchema,
  BrandSchema,
  BrandsSchema,
  NewBrandSchema,
} from '#src/service/server/admin/brand-routes.ts';
import { LoggedCheckSchema } from '#src/service/server/admin/check-routes.ts';
import {
  FeedbackChangeSchema,
  FeedbackItemSchema,
  FeedbackPageSchema,
} from '#src/service/server/admin/feedback-routes.ts';
import { GateReportSchema } from '#src/service/server/admin/gate-route.ts';
import {
  CreatedKeySchema,
  KeyChangeSchema,
  KeySchema,
  KeysSchema,
  NewKeySchema,
} from '#src/service/server/admin/keys-routes.ts';
import {
  ChangedListSchema,
  FoundEntriesSchema,
  ListContentSchema,
  ListMatchesSchema,
  ListPageSchema,
  ListsSchema,
  ListVersionsSchema,
  NewEntrySchema,
  NewListSchema,
  RemovalSchema,
  TestedUrlSchema,
} from '#src/service/server/admin/list-shapes.ts';
import {
  CompareRequestSchema,
  ComparisonSchema,
  ModelChoiceSchema,
  ModelsSchema,
} from '#src/service/server/admin/model-routes.ts';
import { NodesSchema } from '#src/service/server/admin/node-route.ts';
import { InstalledSchema, PacksSchema } from '#src/service/server/admin/pack-routes.ts';
import { ActiveSettingsSchema } from '#src/service/server/admin/settings-route.ts';
import { SourcesSchema, StatusSchema } from '#src/service/server/admin/status-route.ts';
import { PreviewedChangeSchema } from '#src/service/server/admin/verdict-preview.ts';

/** The bodies of the console's operations, by the names of their schemas. */
export const CONSOLE_SCHEMAS = {
  Status: StatusSchema,
  Key: KeySchema,
  Keys: KeysSchema,
  NewKey: NewKeySchema,
  KeyChange: KeyChangeSchema,
  CreatedKey: CreatedKeySchema,
  AuditPage: AuditPageSchema,
  ListSources: SourcesSchema,
  ActiveSettings: ActiveSettingsSchema,
  FoundListEntries: FoundEntriesSchema,
  EntryRemoval: RemovalSchema,
  Models: ModelsSchema,
  ModelChoice: ModelChoiceSchema,
  ModelComparisonRequest: CompareRequestSchema,
  ModelComparison: ComparisonSchema,
  Packs: PacksSchema,
  PackInstalled: InstalledSchema,
  PreviewedChange: PreviewedChangeSchema,
  ConfiguredBrand: BrandSchema,
  ConfiguredBrands: BrandsSchema,
  NewBrand: NewBrandSchema,
  BrandPreview: BrandPreviewSchema,
  Backup: BackupSchema,
  Backups: BackupsSchema,
  FleetNodes: NodesSchema,
  GateReport: GateReportSchema,
  GateTest: GateTestSchema,
  Activity: ActivitySchema,
  Lists: ListsSchema,
  NewList: NewListSchema,
  ListPage: ListPageSchema,
  ListContent: ListContentSchema,
  ListVersions: ListVersionsSchema,
  ChangedList: ChangedListSchema,
  TestedUrl: TestedUrlSchema,
  ListMatches: ListMatchesSchema,
  NewListEntry: NewEntrySchema,
  FeedbackPage: FeedbackPageSchema,
  FeedbackChange: FeedbackChangeSchema,
  FeedbackItem: FeedbackItemSchema,
  LoggedCheck: LoggedCheckSchema,
};

/** The operations of the console, but sessions, keys and the audit log. */
export const CONSOLE_OPERATIONS = [
  ...['readStatus', 'listSettings', 'listNodes', 'readGateReport', 'listBackups', 'createBackup', 'downloadBackup'],
  ...['listPacks', 'installPack', 'rollBackPacks', 'listModels', 'compareModels', 'useModel', 'rollBackModel'],
  ...['listBrands', 'addBrand', 'removeBrand'],
  ...['listLists', 'createList', 'readList', 'replaceList', 'removeList', 'listVersionsOfList', 'rollBackList'],
  ...[
    'findListEntries',
    'removeListEntries',
    'testLists',
    'addListEntry',
    'removeListEntry',
    'listFeedback',
    'settleFeedback',
    'listChecks',
    'readCheck',
    'renewListSources',
    'readActivity',
    'watchChecks',
    'testGate',
  ],
];
