import type { WrittenFile } from './system-change.ts';

/** One service as its manager knows it. */
export interface ServiceState {
  /** `lurecheck.service`, `lurecheck@1.service`, `lurecheck`. */
  readonly unit: string;
  readonly isEnabled: boolean;
  readonly activity: 'running' | 'starting' | 'failed' | 'stopped';
  /** The process that serves; null where none does. */
  readonly pid: number | null;
}

/** A service manager, and its commands. Each command changes something. */
export interface Manager {
  readonly name: 'systemd' | 'openrc';
  /** Whether it is in charge of this machine. */
  isRunning(): boolean;
  /** Whether it is what a tree below a root would be run by. */
  isIn(root: string): boolean;
  /** The files that it reads. */
  files(program: string): readonly ManagedFile[];
  /** What a package has put there for it, in whose place nothing is written; null without one. */
  packagedFile(root: string): string | null;
  /** The first lines of the service's environment. */
  readonly environment: readonly string[];
  /** Makes the user; it is known not to be there. */
  makeUser(root: string): readonly (readonly string[])[];
  /** What makes it start with the machine, and now, whatever of both it does not yet. */
  enable(root: string, wanted: Enabling): readonly (readonly string[])[];
  /** What ends it, now and for the next start of the machine, before its files go. */
  disable(root: string): readonly (readonly string[])[];
  /** What makes it forget files that have gone. */
  afterRemoval(root: string): readonly (readonly string[])[];
  /** What operators put beside its files to change the service. */
  overrides(root: string): readonly string[];
  states(): Promise<readonly ServiceState[]>;
  /** What stops one service, and what starts it without waiting for it to be ready. */
  stop(unit: string): readonly (readonly string[])[];
  start(unit: string): readonly (readonly string[])[];
}

/** A file that only the manager reads. */
export type ManagedFile = Pick<WrittenFile, 'path' | 'text' | 'mode'>;

/** What is asked of {@link Manager.enable}. */
export interface Enabling {
  /** Whether its files, or the program, are others than before. */
  readonly isRenewed: boolean;
  /** Whether it is to be started now. */
  readonly isStarted: boolean;
}
