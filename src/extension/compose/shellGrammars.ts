import { t } from '../../protocol/language.ts';
import { once } from '../base/once.ts';
import type { Log } from '../platform/log.ts';
import type { CommandAnalysis } from '../shell/classify/analysis.ts';
import type { ShellParser } from '../shell/shellParser.ts';

interface ShellPlace {
  /** The user's home folder, absolute. */
  readonly home: string;
  /** As Node names it. */
  readonly platform: string;
  readonly log: Log;
}

/** Rejects if a grammar is missing. The next call tries again. */
export type LoadShellParser = () => Promise<ShellParser>;

/** Never rejects: the analysis tells if a command could not be analysed. */
export type AnalyseCommand = (command: string) => Promise<CommandAnalysis>;

/** Returns a loader of the parser. It loads only once, since the library has a single instance in a process. */
export function parserLoader(place: ShellPlace): LoadShellParser {
  return once(async () => {
    const { loadShellParser } = await import('../shell/shellParser.ts');
    const { readGrammar } = await import('../node/grammarFiles.ts');
    return loadShellParser({ readGrammar, home: place.home, shells: [shellOf(place)] });
  });
}

/** Returns a function that analyses a command. If the grammars cannot be loaded, each result says so, and the command asks. */
export function commandAnalyser(place: ShellPlace, load: LoadShellParser): AnalyseCommand {
  return async command => {
    try {
      return (await load()).analyse(command, shellOf(place));
    } catch (error) {
      place.log.error('Commands cannot be checked', error);
      const unparsed = () => t('It could not be checked, since a part of Folio is missing.');
      return { commands: [], unparsed, doubts: [], background: false, writes: [], reads: [] };
    }
  };
}

function shellOf({ platform }: ShellPlace): 'bash' | 'powershell' {
  return platform === 'win32' ? 'powershell' : 'bash';
}
