import { askControl } from '#src/app/control/ask-control.ts';
import { better, broken, type Examination, type Finding, well } from '#src/app/doctor/finding.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { INSTALLED_BACKUP_KEY, INSTALLED_DATA_DIR } from '#src/core/base/files/installation.ts';
import { VERSION } from '#src/core/base/version.ts';
import { backupKeyPath, backupKeyToVerify } from '#src/parts/host/backup/backup-mac.ts';
import { keyCopiedAt } from '#src/parts/host/backup/key-copies.ts';

/** The running service, by what it reports on its control socket. */
export const examineService: Examination = async ({ data_dir: dataDir }) => {
  const state = await askControl(dataDir, 'GET /state');
  if (state === null) {
    const said = `No running service on ${dataDir} answers this user.`;
    if (dataDir !== INSTALLED_DATA_DIR) return [well('service', said)];
    return [better('service', said, 'Start the installed service: lurecheck service install, as root.')];
  }
  const { version, pid, ready, notices, files } = state;
  const said = `Version ${version} is running as process ${pid}.`;
  return [
    ready ? well('service', said) : broken('service', `${said} It accepts no checks.`, `See the reason: ${ASK}.`),
    ...(version === VERSION ? [] : [better('service', `This command is version ${VERSION}.`, 'Restart the service.')]),
    ...notices.map((notice) => better('service', notice, `See the log of the service, and ${ASK}.`)),
    ...Object.entries(files).flatMap(([name, { problem }]): Finding[] =>
      problem === null ? [] : [broken('service', `The service refuses its file of ${name}: ${problem}`, REPAIR)],
    ),
  ];
};

const ASK = 'lurecheck healthcheck, or /readyz?verbose';
const REPAIR = 'Repair the file; the service reloads it automatically.';

/** Reports the location of the key of backups, and whether it would be lost with this disk. */
export const examineBackupKey: Examination = async (config) => {
  const path = backupKeyPath(config);
  try {
    const key = await backupKeyToVerify(config);
    // The first backup creates it.
    if (key === null) return [];
    if (path !== INSTALLED_BACKUP_KEY && config.backup_key_file === null && config.data_dir === INSTALLED_DATA_DIR) {
      const text = `The key of backups lies in the data directory: ${path}.`;
      return [better('backup_key', text, 'lurecheck backup key, as root, moves it out of what it protects.')];
    }
    const copiedAt = keyCopiedAt(path, key.id);
    if (copiedAt !== null) return [well('backup_key', `Key ${key.id} of backups was copied on ${copiedAt}.`)];
    return [
      better(
        'backup_key',
        `No copy of the key of backups, ${path}, is noted: after the loss of this disk, no backup could be verified.`,
        'Store a copy away from this host and from the backups: lurecheck backup key FILE.',
      ),
    ];
  } catch (error) {
    if (!(error instanceof OperationError || error instanceof StoreError)) throw error;
    return [broken('backup_key', error.message, 'Put your copy of the key there.')];
  }
};
