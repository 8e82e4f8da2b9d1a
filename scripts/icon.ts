/* Makes media/icon.png for the Marketplace from the icon of the view. */

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from './run.ts';
import { installChromium, launchChromium } from './vscodeHost/chromium.ts';

/** Twice the 128 pixels of the Marketplace, for high-density screens. */
const size = 256;
const target = join(projectRoot, 'media', 'icon.png');

const glyph = await readFile(join(projectRoot, 'media', 'icon.svg'), 'utf8');
await using owned = new AsyncDisposableStack();
const browser = await launchChromium(await installChromium());
owned.defer(() => browser.close());
const page = await browser.newPage({ viewport: { width: size, height: size } });
await page.setContent(`<style>
  body { margin: 0 }
  div {
    display: grid; place-items: center; box-sizing: border-box; width: ${size}px; height: ${size}px;
    color: #fff; border-radius: 56px; background: linear-gradient(150deg, #4f7cf7, #27348b);
  }
  svg { width: 192px; height: 192px }
</style><div>${glyph}</div>`);
await page.screenshot({ path: target, omitBackground: true });
const { size: bytes } = await stat(target);
console.log(`media/icon.png: ${size} × ${size} pixels, ${(bytes / 1000).toFixed(0)} KB`);
