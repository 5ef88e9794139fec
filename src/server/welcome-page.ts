import { type Asset, createAsset } from './asset.ts';

/** What a person sees at `/` where no web page is built in. Its links are relative, so that a base path moves them along. */
export function welcomePage(): Asset {
  return createAsset(
    'text/html; charset=utf-8',
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>lurecheck</title>
<link rel="icon" href="data:,">
<h1>lurecheck</h1>
<p>This service tells whether a link is phishing. Send it a URL:</p>
<pre>curl -H 'Content-Type: application/json' -d '{"url": "https://example.com/"}' …/api/check-url</pre>
<p>The <a href="swagger">documentation</a> describes every request and answer. The last public checks are in the
<a href="api/history">history</a>.</p>
</html>
`,
  );
}
