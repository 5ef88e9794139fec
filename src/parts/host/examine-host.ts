import { askControl } from '#src/app/control/ask-control.ts';
import { better, broken, type Examination, type Finding, well } from '#src/app/doctor/finding.ts';
import { INSTALLED_DATA_DIR } from '#src/core/base/files/installation.ts';
import { VERSION } from '#src/core/base/version.ts';

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
