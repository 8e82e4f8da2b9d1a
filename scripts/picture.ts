/* Makes media/panel.png, the picture in the README: the rehearsal at its edit, in a real workbench. Needs dist/. */

import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { packFolio } from '../test/workbench/support/packExtensions.ts';
import { projectRoot } from './run.ts';
import { installChromium, launchChromium } from './vscodeHost/chromium.ts';
import { installServer } from './vscodeHost/install.ts';
import { writePanelOpener } from './vscodeHost/panelOpener.ts';
import { startServer } from './vscodeHost/server.ts';

const picture = join(projectRoot, 'media', 'panel.png');
/** Maximum bytes, since every view of the README loads it. */
const sizeLimit = 150_000;
const size = { width: 1040, height: 750 };
/** Clip without the title bar. */
const clip = { x: 0, y: 30, width: size.width, height: size.height - 30 };
const sidebarWidth = 480;
const prompt = 'The invoice test fails. Find out why and fix it.';

await using owned = new AsyncDisposableStack();
const scratch = await mkdtemp(join(tmpdir(), 'folio-picture-'));
owned.defer(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }));
const folder = join(scratch, 'invoices');
await cp(join(projectRoot, 'sample'), folder, { recursive: true });

const server = await startServer({
  installation: await installServer(),
  extensions: [
    await packFolio(scratch),
    { name: 'folio.open-panel-0.0.0', folder: await writePanelOpener(join(scratch, 'opener')) },
  ],
  builtIns: ['theme-defaults', 'theme-seti', 'javascript', 'json'],
  settings: {
    'workbench.colorTheme': 'Default Dark Modern',
    'security.workspace.trust.enabled': false,
    'window.commandCenter': false,
    'editor.minimap.enabled': false,
    'diffEditor.renderSideBySide': false,
  },
  // Excludes the user's own settings and memory.
  env: { HOME: scratch, FOLIO_REHEARSAL: '1' },
});
owned.defer(() => server.dispose());
const browser = await launchChromium(await installChromium());
owned.defer(() => browser.close());
const page = await browser.newPage({ viewport: size });
await page.goto(server.urlOf(folder));
await rehearse(page);
await page.screenshot({ path: picture, clip });
const { size: bytes } = await stat(picture);
console.log(`media/panel.png: ${(bytes / 1000).toFixed(0)} KB of ${sizeLimit / 1000} KB`);
if (bytes > sizeLimit) process.exitCode = 1;

/** Plays the rehearsal up to its edit, with the diff open. */
async function rehearse(page: Page): Promise<void> {
  page.setDefaultTimeout(120_000);
  const panel = panelOf(page);
  const field = panel.getByRole('textbox', { name: 'Ask Folio' });
  await field.waitFor();
  await widenSidebar(page);
  await field.fill(prompt);
  await field.press('Enter');
  await panel.getByRole('button', { name: 'Run', exact: true }).click();
  await panel.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  await panel.getByRole('button', { name: 'Open diff' }).click();
  await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
  // Hides the explorer to give the editor space, then scrolls the buttons of the card into view.
  await page.keyboard.press('Control+b');
  await panel.getByRole('log').evaluate(log => log.scrollTo(0, log.scrollHeight));
  await page.mouse.move(size.width - 5, size.height / 2);
  // Waits for final animations and highlighting, which have no observable end.
  await page.waitForTimeout(3000);
}

function panelOf(page: Page): FrameLocator {
  return page
    .frameLocator('iframe.webview[src*="extensionId=folio.folio"]')
    .frameLocator('iframe#active-frame');
}

async function widenSidebar(page: Page): Promise<void> {
  const box = await page.locator('.part.auxiliarybar').boundingBox();
  if (box === null) throw new Error('The sidebar is not there.');
  const height = box.y + box.height / 2;
  // Drags the sash between the parts of the workbench.
  await page.mouse.move(box.x - 3, height);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - sidebarWidth, height, { steps: 10 });
  await page.mouse.up();
}
