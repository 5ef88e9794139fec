/** An icon of the installed page, at an address relative to the manifest. */
interface ManifestIcon {
  readonly src: string;
  readonly sizes: string;
  readonly type: string;
  readonly purpose?: 'maskable';
}

/**
 * The web app manifest (W3C), with which browsers install the page and phones offer it in their share sheet. All addresses are
 * relative, so that it works below any base path.
 */
export function manifestOf(icons: readonly ManifestIcon[]) {
  return {
    name: 'lurecheck',
    short_name: 'lurecheck',
    description: 'Is this link phishing?',
    start_url: 'start',
    scope: './',
    display: 'standalone',
    background_color: '#f6f6f3',
    theme_color: '#2a4d9c',
    categories: ['security', 'utilities'],
    icons,
    share_target: {
      action: 'share',
      method: 'POST',
      enctype: 'application/x-www-form-urlencoded',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  };
}
