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

/** Rejects where a grammar is missing; the next who asks tries again. */
export type LoadShellParser = () => Promise<ShellParser>;

/** Never rejects: what cannot be analysed says so. */
export type ReadCommand = (command: string) => Promise<CommandAnalysis>;

/** The grammars are loaded when they are first needed, and once: the library has one place for them in a process. */
export function shellGrammars(place: ShellPlace): LoadShellParser {
  return once(async () => {
    const { loadShellParser } = await import('../shell/shellParser.ts');
    const { readGrammar } = await import('../node/grammarFiles.ts');
    return loadShellParser({ readGrammar, home: place.home, shells: [shellOf(place)] });
  });
}

/** Where the grammars cannot be loaded, every command asks. */
export function commandReader(place: ShellPlace, load: LoadShellParser): ReadCommand {
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
