/* Leaves those icons of a font out that the panel does not name: of the 120 KB of VS Code's codicons the panel uses a few. */

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
