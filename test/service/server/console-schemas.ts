import { KeyChangeSchema, NewKeySchema } from '#src/admin/keys/manage-keys.ts';
import { ActivitySchema } from '#src/checks/record/activity.ts';
import { GateTestSchema } from '#src/checks/record/gate-test.ts';
import { BackupSchema, BackupsSchema } from '#src/parts/backup/backup-answer.ts';
import {
  ActiveSettingsSchema,
  AuditPageSchema,
  CreatedKeySchema,
  KeySchema,
  KeysSchema,
  LoggedCheckSchema,
  NodesSchema,
} from '#src/parts/console/answers/console-answers.ts';
import { StatusSchema } from '#src/parts/console/answers/status-answer.ts';
import { MispModulesSchema, MispQuestionSchema } from '#src/parts/feeds/misp/question.ts';
import { MispAnswerSchema } from '#src/parts/feeds/misp/verdict-object.ts';
import {
  ListContentSchema,
  NewEntrySchema,
  NewListSchema,
  RemovalSchema,
  TestedUrlSchema,
} from '#src/parts/lists/list-inputs.ts';
import {
  ChangedListSchema,
  FoundEntriesSchema,
  ListMatchesSchema,
  ListPageSchema,
  ListsSchema,
  ListVersionsSchema,
  SourcesSchema,
} from '#src/parts/lists/routes/list-answer.ts';
import { InstalledSchema } from '#src/parts/packs/pack-routes.ts';
import { GateReportSchema } from '#src/parts/proxy/gate-answer.ts';
import { NewBrandSchema } from '#src/parts/tuning/brands/brand-acts.ts';
import { FeedbackChangeSchema } from '#src/parts/tuning/feedback/feedback-acts.ts';
import { ModelChoiceSchema } from '#src/parts/tuning/model-changes/model-acts.ts';
import { CompareRequestSchema, ComparisonSchema } from '#src/parts/tuning/model-routes.ts';
import {
  BrandPreviewSchema,
  BrandSchema,
  BrandsSchema,
  FeedbackItemSchema,
  FeedbackPageSchema,
  ModelsSchema,
  PacksSchema,
} from '#src/service/server/admin/operator-answers.ts';
import { PreviewedChangeSchema } from '#src/service/server/admin/preview-answer.ts';

/** The bodies of the operations of the console and of MISP, by the names of their schemas. */
export const OPERATOR_SCHEMAS = {
  MispModules: MispModulesSchema,
  MispQuestion: MispQuestionSchema,
  MispAnswer: MispAnswerSchema,
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
