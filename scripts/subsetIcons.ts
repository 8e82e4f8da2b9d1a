/* Leaves those icons of a font out that no style names: of the 120 KB of VS Code's codicons the panel uses a few. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import subsetFont from 'subset-font';

/** The style sheet has the codes of the icons, as `content: "\ea60"`. */
const styles = join(import.meta.dirname, '..', 'src', 'webview', 'ui', 'codicon.css');

export const subsetIcons: Plugin = {
  name: 'subset-icons',
  setup({ onLoad }) {
    onLoad({ filter: /codicon\.ttf$/ }, async ({ path }) => {
      const codes = [...(await readFile(styles, 'utf8')).matchAll(/content: "\\([0-9a-f]+)"/g)];
      const icons = String.fromCodePoint(...codes.map(([, code]) => Number.parseInt(code!, 16)));
      const contents = await subsetFont(await readFile(path), icons, { targetFormat: 'truetype' });
      return { contents, loader: 'file', watchFiles: [path, styles] };
    });
  },
};
