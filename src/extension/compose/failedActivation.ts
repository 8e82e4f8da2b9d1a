import { commands, Uri, type WebviewView, window } from 'vscode';
import { t } from '../../protocol/language.ts';
import { messageOf } from '../base/errors.ts';
import { OutputLog } from '../vscode/ports/outputLog.ts';

/**
 * Shows in place of the panel why Folio did not start. The registrations stay until the window is reloaded, since
 * nothing else of Folio runs.
 *
 * @param viewId the panel's view, whose provider must no longer be registered
 */
export function showFailedActivation(viewId: string, error: unknown): void {
  window.registerWebviewViewProvider(viewId, {
    resolveWebviewView({ webview }: WebviewView): void {
      webview.options = {
        enableCommandUris: ['folio.openLog', 'workbench.action.reloadWindow'],
        localResourceRoots: [],
      };
      webview.html = failedPage(messageOf(error));
    },
  });
  // The window's channel was disposed, and VS Code does not allow its name again.
  const log = new OutputLog(window.createOutputChannel(t('Folio Start'), { log: true }));
  log.error('Folio could not start', error);
  commands.registerCommand('folio.openLog', () => log.show());
}

function failedPage(message: string): string {
  const title = t('Folio could not start');
  const advice = t('Reload the window to try again. If it fails again, the log has the cause.');
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<title>Folio</title>
</head>
<body>
<main role="alert">
<h2>${escapeHtml(title)}</h2>
<p>${escapeHtml(message)}</p>
<p>${escapeHtml(advice)}</p>
<p>${link('workbench.action.reloadWindow', t('Reload Window'))} &nbsp; ${link('folio.openLog', t('Open log'))}</p>
</main>
</body>
</html>`;
}

function link(command: string, label: string): string {
  return `<a href="${escapeHtml(Uri.parse(`command:${command}`).toString())}">${escapeHtml(label)}</a>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
