import { installChromium, launchChromium } from '../vscodeHost/chromium.ts';

const limit = 600_000;

/** Opens the workbench and sends a prompt. Returns when the agent asks to run the tests. */
export async function getAnswerInBrowser(address: string): Promise<void> {
  const browser = await launchChromium(await installChromium());
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(limit);
    await page.goto(address);
    const panel = page
      .frameLocator('iframe.webview[src*="extensionId=folio.folio"]')
      .frameLocator('iframe#active-frame');
    const field = panel.getByRole('textbox', { name: 'Ask Folio' });
    // The panel must open automatically.
    await field.waitFor();
    // This command is registered last, so it shows that all work.
    await page.keyboard.press('F1');
    await page.keyboard.type('Folio: Compress Context');
    await page.locator('.quick-input-list .focused', { hasText: 'Compress Context' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.notification-toast', { hasText: 'There is nothing to compress yet.' }).waitFor();
    await field.fill('The invoice test fails. Find out why and fix it.');
    await field.press('Enter');
    await panel.getByRole('button', { name: 'Run', exact: true }).waitFor();
  } finally {
    await browser.close();
  }
}
