import { describe, expect, test } from 'vitest';
import { intentionSchemas } from '../../src/protocol/intentions.ts';
import { findImports, readSources } from '../support/sourceFiles.ts';

const table = 'src/protocol/intentions.ts';
const toHost = new Set(
  ['backgroundSessionPages', 'watchedSession'].map(
    name => `src/extension/vscode/features/sessions/${name}.ts`,
  ),
);

describe('the table of intentions', () => {
  test('names each intention, and beside it only one file of the window, which carries it out', async () => {
    const sources = (await Promise.all(['src/protocol', 'src/extension'].map(readSources))).flat();
    // Some are spoken as lines, too: by a script on standard input, and to the background host.
    const files = sources.filter(
      ({ path }) => !path.startsWith('src/extension/headless/') && !toHost.has(path),
    );
    // A type that is read off a row spells nothing again.
    const namesIt = (text: string, type: string) =>
      text.replace(/\bIntention<'[\w.]+'>/g, '').includes(`'${type}'`);
    for (const type of Object.keys(intentionSchemas)) {
      const named = files.filter(({ text }) => namesIt(text, type)).map(({ path }) => path);
      expect(named, type).toHaveLength(2);
      expect(named, type).toContain(table);
      expect(
        named.filter(path => path.startsWith('src/extension/vscode/panel/')),
        type,
      ).toHaveLength(1);
    }
  });

  test('is loaded only by the two files that parse: everyone else imports its types', async () => {
    const loading = (await readSources('src')).filter(({ path, text }) =>
      findImports(text.replace(/^import type \{[^}]*\} from .*$/gm, '')).some(
        specifier => specifier.endsWith('/intentions.ts') && path !== table,
      ),
    );
    expect(loading.map(({ path }) => path).toSorted()).toEqual([
      'src/extension/headless/streamInput.ts',
      'src/extension/vscode/panel/parseMessage.ts',
    ]);
  });
});
