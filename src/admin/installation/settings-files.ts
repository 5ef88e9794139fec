import { INSTALLED_CONFIG, INSTALLED_DATA_DIR, INSTALLED_ENVIRONMENT } from './installation.ts';
import type { Manager } from './manager.ts';

/** The files in which the operator decides about the service, as they are when nothing has been decided. */
export function settingsFiles({
  name,
  environment,
}: Manager): readonly { readonly path: string; readonly text: string }[] {
  const path = INSTALLED_CONFIG;
  const [reload, restart] =
    name === 'systemd'
      ? ['systemctl reload lurecheck', 'systemctl restart lurecheck']
      : ['rc-service lurecheck reload', 'rc-service lurecheck restart'];
  return [
    {
      path: INSTALLED_ENVIRONMENT,
      text: `# Where the settings of the service stand. Each is also a variable, one a line, which wins over the file.
LURECHECK_CONFIG=${path}
${environment.map((line) => `${line}\n`).join('')}`,
    },
    {
      path,
      text: `# Settings of the service; \`lurecheck help serve\` lists them all. After a change: ${reload}
# tells of those that take ${restart}.

# Where the data are: by this line, commands find them without --data-dir.
data_dir = "${INSTALLED_DATA_DIR}"
# listen = ["127.0.0.1:8080"]
# admin_listen = "127.0.0.1:9180"
# network = "full"
# rate_limit = 20
`,
    },
  ];
}
