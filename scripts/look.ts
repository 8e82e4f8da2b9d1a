/* Takes pictures of all states of the panel, in all themes and common widths, for visual checks. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type PageLanguage, pageLanguages } from '../test/panel/pageLanguages.ts';
import { Pages } from '../test/panel/pages.ts';
import { openPanel, type PanelOptions, preparePanelPage } from '../test/panel/panelPage.ts';
import { startPanelServer } from '../test/panel/panelServer.ts';
import { showScene } from '../test/panel/scenes/scene.ts';
import { scenes } from '../test/panel/scenes/scenes.ts';
import { type ThemeName, themeNames } from '../test/support/themes.ts';
import { projectRoot } from './run.ts';
import { installChromium, launchChromium } from './vscodeHost/chromium.ts';

const folder = join(projectRoot, 'test', 'workbench', 'screenshots', 'panel');

const usage = `npm run look [-- OPTIONS]

Takes a picture of every state of the panel and says where the pictures are. No VS Code is needed.

  --scene NAME   only scenes whose name begins so; can be given several times
  --theme NAME   only this theme: ${themeNames.join(', ')}
  --width N      at this width instead of 340 and 700; can be given several times
  --language L   in this language instead of English: ${pageLanguages.join(', ')}
  --list         names the scenes
  --help         says this`;

interface Choice {
  readonly names: readonly string[];
  readonly themes: readonly ThemeName[];
  readonly widths: readonly number[];
  readonly language: PageLanguage;
}

await main();

async function main(): Promise<void> {
  const choice = readChoice();
  if (choice === undefined) return;
  const chosen = scenes.filter(({ name }) => choice.names.some(begin => name.startsWith(begin)));
  await using owned = new AsyncDisposableStack();
  const server = await startPanelServer();
  owned.defer(() => server.close());
  const browser = await launchChromium(await installChromium());
  owned.defer(() => browser.close());
  const pages = new Pages(browser, preparePanelPage);
  const open = (options: PanelOptions) => openPanel(pages, server.address, options);
  await mkdir(folder, { recursive: true });
  for (const scene of chosen) {
    console.log(scene.name);
    for (const theme of choice.themes)
      for (const width of choice.widths) {
        const panel = await showScene(scene, open, { theme, width, language: choice.language });
        const path = join(
          folder,
          `${scene.name}-${theme}-${width}${choice.language === 'en' ? '' : `-${choice.language}`}.png`,
        );
        // Animations are finished, so that pictures of the same state are identical.
        await panel.page.screenshot({ path, animations: 'disabled' });
        for (const problem of await panel.problems()) console.error(`  ${theme}, ${width}: ${problem}`);
        await panel.close();
      }
  }
  const count = chosen.length * choice.themes.length * choice.widths.length;
  console.log(`\n${count} pictures are in ${folder}`);
}

function readChoice(): Choice | undefined {
  const { values } = parseArgs({
    options: {
      scene: { type: 'string', multiple: true, default: [''] },
      theme: { type: 'string', multiple: true, default: [...themeNames] },
      width: { type: 'string', multiple: true, default: ['340', '700'] },
      language: { type: 'string', default: 'en' },
      list: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const wrong = findWrong(values);
  if (!values.help && !values.list && wrong === undefined)
    return {
      names: values.scene,
      themes: themeNames.filter(name => values.theme.includes(name)),
      widths: values.width.map(Number),
      language: pageLanguages.find(name => name === values.language) ?? 'en',
    };
  if (values.list) console.log(scenes.map(({ name }) => name).join('\n'));
  else console.log(wrong === undefined ? usage : `${wrong}\n\n${usage}`);
  process.exitCode = wrong === undefined ? 0 : 2;
  return undefined;
}

function findWrong(values: {
  readonly scene: readonly string[];
  readonly theme: readonly string[];
  readonly width: readonly string[];
  readonly language: string;
}): string | undefined {
  const scene = values.scene.find(begin => !scenes.some(({ name }) => name.startsWith(begin)));
  if (scene !== undefined) return `There is no scene "${scene}". --list names them.`;
  const theme = values.theme.find(name => !themeNames.some(known => known === name));
  if (theme !== undefined) return `There is no theme "${theme}".`;
  if (!pageLanguages.some(name => name === values.language))
    return `There is no language "${values.language}".`;
  const width = values.width.find(text => !/^[1-9]\d{1,3}$/.test(text));
  return width === undefined ? undefined : `"${width}" is not a width in pixels.`;
}
