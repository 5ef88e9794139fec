import { INSTALLED_CONFIG, INSTALLED_DATA_DIR, INSTALLED_ENVIRONMENT } from '#src/core/base/files/installation.ts';
import type { Manager } from './manager.ts';

/** Address of the browser that is installed beside the service. */
export const BROWSER_ADDRESS = 'ws://127.0.0.1:9222';

/** The files in which the operator decides about the service, as they are when nothing has been decided. */
export function settingsFiles(
  { name, environment }: Manager,
  hasBrowser = false,
): readonly { readonly path: string; readonly text: string }[] {
  const path = INSTALLED_CONFIG;
  const [reload, restart] =
    name === 'systemd'
      ? ['systemctl reload lurecheck', 'systemctl restart lurecheck']
      : ['rc-service lurecheck reload', 'rc-service lurecheck restart'];
  return [
    {
      path: INSTALLED_ENVIRONMENT,
      text: `# Settings file of the service. Each setting is also a variable, one per line, which overrides the file.
LURECHECK_CONFIG=${path}
${environment.map((line) => `${line}\n`).join('')}`,
    },
    {
      path,
      text: `# Settings of the service; \`lurecheck help serve\` lists them all. After a change: ${reload}
# reports those that need ${restart}.

# Folder of the data: by this line, commands find it without --data-dir.
data_dir = "${INSTALLED_DATA_DIR}"
# listen = ["127.0.0.1:8080"]
# admin_listen = "127.0.0.1:9180"
# network = "full"
# rate_limit = 20
${hasBrowser ? `browser = "${BROWSER_ADDRESS}"\n` : ''}`,
    },
  ];
}
