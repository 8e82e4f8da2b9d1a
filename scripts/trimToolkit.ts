/* Removes an enum of deprecated key codes that the toolkit brings along: no bundler can tell that nothing uses it. */

import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

export const trimToolkit: Plugin = {
  name: 'trim-toolkit',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]fast-web-utilities[\\/]dist[\\/]key-codes\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      // A use of it would fail the build.
      return { contents: text.replace(/export var KeyCodes;[\s\S]*?\}\)\(KeyCodes .*\);/, '') };
    });
  },
};
