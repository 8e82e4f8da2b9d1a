import type { Language } from '../../../protocol/language.ts';

interface PanelHtmlOptions {
  /** The webview's `cspSource`, where the page may load from. */
  readonly cspSource: string;
  /** New for each page, unguessable. */
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
  readonly language: Language;
  /** Origin of MCP apps other than this machine's. Cannot contain characters that would end the policy. */
  readonly frames?: string | undefined;
  /** `page`: the agent's browser page under the user's control. Defaults to the panel. */
  readonly shows?: 'page';
}

/**
 * The HTML of the panel. No inline code, external resources or connections: except for the texts of its language, the
 * page gets everything by message. The script source is allowed besides the nonce, because modules imported later carry
 * none.
 */
export function panelHtml({
  cspSource,
  nonce,
  script,
  style,
  language,
  frames,
  shows,
}: PanelHtmlOptions): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${cspSource}`,
    `style-src ${cspSource} ${emptyStyle}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
    // Attached recordings are decoded for their frames, and never leave the page.
    'media-src blob:',
    // MCP apps, from this machine or where VS Code forwards them. Each is in a frame without access to other origins
    // (`mcp/apps/appServer.ts`).
    `frame-src http://127.0.0.1:* http://localhost:*${frames === undefined ? '' : ` ${frames}`}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${attribute(language.tag)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Folio</title>
<link rel="stylesheet" href="${attribute(style)}">
</head>
<body>
<div id="root"${shows ? ` data-shows="${shows}"` : ''} data-words="${attribute(JSON.stringify(language.catalog))}"></div>
<script type="module" nonce="${attribute(nonce)}" src="${attribute(script)}"></script>
</body>
</html>`;
}

/** Hash of the empty string: the toolkit creates one empty style element and fills it by script. */
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
