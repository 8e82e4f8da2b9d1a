import { once } from '../../src/extension/base/once.ts';
import { readGrammar } from '../../src/extension/node/grammarFiles.ts';
import { loadShellParser, type ShellParser } from '../../src/extension/shell/shellParser.ts';

/** The home folder that `~` stands for in tests of commands. */
export const homeOfTests = '/home/ada';

/** One for all: the library keeps what it has loaded until the process ends, and has room for about a thousand. */
export const loadTestParser: () => Promise<ShellParser> = once(() =>
  loadShellParser({ readGrammar, home: homeOfTests, shells: ['bash', 'powershell'] }),
);
