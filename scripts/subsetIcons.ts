/* Removes unused icons from VS Code's codicon font of 120 KB. */

import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import subsetFont from 'subset-font';
import { icons } from '../src/webview/ui/icons.ts';

export const subsetIcons: Plugin = {
  name: 'subset-icons',
  setup({ onLoad }) {
    onLoad({ filter: /codicon\.ttf$/ }, async ({ path }) => {
      const letters = Object.values(icons).join('');
      const contents = await subsetFont(await readFile(path), letters, { targetFormat: 'truetype' });
      return { contents, loader: 'file' };
    });
  },
};
