import { readGrammar } from '../../src/extension/node/grammarFiles.ts';
import { loadShellParser, type ShellParser } from '../../src/extension/shell/shellParser.ts';

/** The home folder that `~` stands for in tests of commands. */
export const homeOfTests = '/home/ada';

export function loadTestParser(): Promise<ShellParser> {
  return loadShellParser({ readGrammar, home: homeOfTests, shells: ['bash', 'powershell'] });
}
