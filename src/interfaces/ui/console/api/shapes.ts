import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { DecidedBy, Via } from '#src/checks/record/decided-by.ts';
import type { RetentionBounds } from '#src/checks/record/stats.ts';
import type { Decision } from '#src/engine/fusion/decide.ts';
import type { ShownCheck } from '../../history/shown-check.ts';

/** All of a kind. */
export interface Items<T> {
  readonly items: readonly T[];
}

/** Who is signed in. */
export interface SessionState {
  /** Null for a user whom a proxy names. */
  readonly key: string | null;
  readonly user: string | null;
  readonly scopes: readonly string[];
}

/** A state of the service that needs the operator. */
export interface ShownCondition {
  readonly code: string;
  readonly severity: 'warning' | 'error';
  readonly since: string;
  readonly args: Readonly<Record<string, string | number>>;
  readonly message: string;
  readonly remedy: string | null;
}

/** A scheduled source of a list. */
export interface ShownSource {
  readonly name: string;
  readonly tried_at: string | null;
  readonly renewed_at: string | null;
  readonly next_at: string | null;
  readonly problem: string | null;
}

/** State of the service. */
export interface ShownStatus {
  readonly health: {
    readonly state: 'ready' | 'degraded' | 'failed';
  };
  readonly conditions: readonly ShownCondition[];
  readonly list_sources: readonly ShownSource[];
  readonly version: string;
  readonly started_at: string;
  readonly storage: {
    /** Null for logs in databases. */
    readonly bytes: number | null;
    readonly free_bytes: number;
    readonly retention: RetentionBounds;
  };
  readonly model: { readonly version: string; readonly published_at: string };
  readonly lists: readonly { readonly name: string; readonly entries: number; readonly updated_at: string | null }[];
  readonly packs: readonly Pick<PackRow, 'name' | 'version' | 'publisher'>[];
  readonly nodes: number | null;
  readonly last_backup: { readonly created_at: string; readonly name: string } | null;
  readonly feedback_waiting: number;
  readonly checklist: readonly { readonly code: string; readonly done: boolean }[];
}

/** Effect of a change on the checks of the history. */
export interface ChangePreview {
  readonly checked: number;
  readonly changed: number;
  readonly newly_blocked: number;
  readonly newly_allowed: number;
  readonly popular_hits: number;
  readonly examples: readonly {
    readonly url: string;
    readonly before: Decision;
    readonly after: Decision;
  }[];
  readonly invalid_lines: readonly { readonly line: number; readonly reason: string }[];
  readonly entries: number;
  /** New entries at popular sites. */
  readonly popular?: readonly { readonly entry: string; readonly site: string }[];
  /** Entries that would not be applied, those that would not be stored, and the numbers of both and of other lines. */
  readonly held_back?: readonly { readonly entry: string; readonly line: number; readonly code: string }[];
  readonly left_out?: readonly { readonly entry: string; readonly line: number; readonly code: string }[];
  readonly omitted?: Readonly<Record<'held_back' | 'invalid' | 'expired' | 'duplicates', number>>;
  /** Entries that would go. */
  readonly removed?: { readonly count: number; readonly first: readonly string[] };
}

/** A list of the operator. */
export interface ListRow {
  readonly name: string;
  readonly action: 'allow' | 'block';
  readonly weight: number | null;
  readonly entries: number;
  /** Entries that are stored and not applied. */
  readonly quarantined: number;
  readonly owner: string;
  readonly updated_at: string;
  readonly source: string | null;
  readonly etag: string;
  /** Checks that it decided in 30 days; null if they cannot be counted. */
  readonly hits: number | null;
}

/** A list after a change. */
export interface ChangedList {
  readonly name: string;
  readonly etag: string | null;
}

/** An entry of a list. */
export interface ShownEntry {
  readonly entry: string;
  /** The entry with its host in its own script; null if that is the same. */
  readonly written: string | null;
  readonly expires: string | null;
  readonly comment: string | null;
  readonly applied: boolean;
  readonly added: string | null;
  /** Why it is not applied, as a code; null if it is. */
  readonly held_back: string | null;
  readonly hits: number | null;
}

/** Entries of all lists. */
export interface FoundPage {
  readonly found: number;
  readonly entries: readonly (ShownEntry & Pick<ListRow, 'action' | 'owner' | 'etag'> & { readonly list: string })[];
  readonly next_after: string | null;
}

/** A page of a list. */
export interface ListPage extends Omit<ListRow, 'entries'> {
  readonly total: number;
  readonly found: number;
  readonly entries: readonly ShownEntry[];
  readonly next_after: string | null;
}

/** A stored version of a list. */
export interface ListVersion {
  readonly version: string;
  readonly created_at: string;
  readonly entries: number;
  readonly source: string | null;
  readonly active: boolean;
}

/** What the lists say about a URL. */
export interface ListMatches {
  readonly matches: readonly {
    readonly list: string;
    readonly entry: string;
    readonly action: 'allow' | 'block';
    readonly expires: string | null;
    readonly applied: boolean;
  }[];
  readonly decision: Decision;
}

/** A check with its whole record. */
export interface ShownLog {
  readonly visibility: 'public' | 'private';
  readonly client: string | null;
  readonly delivered: boolean;
  /** Absent if the record cannot be read. */
  readonly result?: CheckResult;
}

/** Feedback on a verdict. */
export interface FeedbackItem {
  readonly id: number;
  readonly etag: string;
  readonly state: 'waiting' | 'accepted' | 'rejected';
  readonly url: string;
  readonly verdict: 'malicious' | 'benign';
  readonly comment: string | null;
  readonly created_at: string;
  readonly entry: string | null;
  readonly check: ShownCheck | null;
  readonly default_entry: string | null;
  readonly default_expires: string | null;
}

/** A page of the queue. */
export interface FeedbackPage extends Items<FeedbackItem> {
  readonly next_cursor: string | null;
}

/** A key, without its secret. */
export interface KeyRow {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly limit: number | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly expired: boolean;
  /** Null if it was not used since the service started. */
  readonly last_used_at: string | null;
  readonly etag: string;
}

/** A key that was just created. */
export interface CreatedKey extends KeyRow {
  readonly secret: string;
}

/** A setting, and where its value comes from. */
export interface SettingRow {
  readonly name: string;
  /** Its meaning, in English. */
  readonly description: string;
  /** True for one that most services are given. */
  readonly common: boolean;
  readonly value: unknown;
  readonly source: string;
  readonly reloadable: boolean;
}

/** A line of the audit log. */
export interface AuditRow {
  readonly sequence: number;
  readonly time: string;
  readonly by: string;
  readonly address: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly detail: readonly { readonly name: string; readonly value: string }[];
}

/** A page of the audit log. */
export interface AuditPage extends Items<AuditRow> {
  readonly next_before: number | null;
}

/** A backup. */
export interface BackupRow {
  readonly name: string;
  readonly created_at: string;
  readonly bytes: number;
  readonly complete: boolean;
}

/** When backups are made by themselves, and where. */
export interface ShownSchedule {
  readonly at: string | null;
  readonly dir: string | null;
  readonly keep: number;
}

/** The backups and their schedule. */
export interface Backups extends Items<BackupRow> {
  readonly schedule: ShownSchedule;
}

/** A node of the fleet. */
export interface NodeRow {
  readonly name: string;
  readonly version: string;
  readonly model_version: string;
  readonly seen_at: string;
  readonly ahead_seconds: number;
  readonly waiting: number;
  readonly set_aside: number;
  readonly is_alive: boolean;
  readonly differs: readonly string[];
}

/** A host that the gate holds or would hold. */
export interface HeldRow {
  readonly host: string;
  readonly records: number;
  readonly clients: number;
  readonly held: number;
  readonly rules: readonly string[];
  readonly reasons: readonly string[];
  readonly via: Via | null;
  readonly decided_by: DecidedBy | null;
  readonly last: string;
}

/** What the gate holds; `mode` is null without a gate. */
export interface GateState {
  readonly mode: string | null;
  readonly since: string | null;
  readonly passed: { readonly requests: number; readonly unexamined: number } | null;
  readonly hosts: readonly HeldRow[];
}

/** A configured brand. */
export interface BrandRow {
  readonly name: string;
  readonly domains: readonly string[];
  readonly pages: number;
  readonly etag: string;
}

/** A synthetic attack, and its verdict before and after a change. */
export interface AttackRow {
  readonly url: string;
  readonly trick: string;
  readonly malicious_probability: number;
  readonly decision: Decision;
  readonly before: Decision;
}

/** What a change of a brand would do. */
export interface ShownTrial {
  readonly synthetic_attacks: {
    readonly tried: number;
    readonly detected_before: number;
    readonly detected_after: number;
    readonly own_alarmed: number;
    readonly examples: readonly AttackRow[];
  };
}

/** A model. */
export interface ModelRow {
  readonly version: string;
  readonly shipped: boolean;
  readonly in_force: boolean;
  readonly problem: string | null;
}

/** The models, and the tag of the selection. */
export interface ShownModels extends Items<ModelRow> {
  readonly etag: string;
}

/** A pack. */
export interface PackRow {
  readonly name: string;
  readonly version: number;
  readonly publisher: string;
  readonly expires: string | null;
  readonly problem: string | null;
  readonly expired: boolean;
  readonly revoked: boolean;
}

/** Active packs, those that a rollback can activate, and who may publish. */
export interface ShownPacks {
  readonly active: readonly PackRow[];
  readonly available: readonly PackRow[];
  readonly publishers: readonly { readonly name: string; readonly revoked: string | null }[];
  readonly etag: string;
}
