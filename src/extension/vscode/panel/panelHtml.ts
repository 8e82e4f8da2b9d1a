import type { Language } from '../../../protocol/language.ts';

export interface PanelPage {
  /** Where the page may load from, as the webview names it. */
  readonly cspSource: string;
  /** Fresh for each page, unguessable. */
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
  /** The language of its sentences. */
  readonly language: Language;
  /** Origin of servers' pages beside this machine's; it holds nothing that could end the policy. */
  readonly frames?: string | undefined;
  /** `page`: the page of the agent's browser, which the user has. Absent: the panel. */
  readonly shows?: 'page';
}

/**
 * The page of the panel. Nothing inline, nothing from elsewhere, no connection to anywhere: what the page needs
 * comes by message, but for the words of its language. The script source is allowed beside the nonce because modules that the script imports later
 * carry none.
 */
export function panelHtml({ cspSource, nonce, script, style, language, frames, shows }: PanelPage): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${cspSource}`,
    `style-src ${cspSource} ${emptyStyle}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
    // A recording that the user attaches is played for its frames, and never leaves the page.
    'media-src blob:',
    // Pages of servers, from this machine or where VS Code forwards them; each lies in a frame that leads nowhere else
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

/** The hash of nothing: the toolkit makes one empty style element and fills it by script, which no policy forbids. */
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
