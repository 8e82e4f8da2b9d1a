import { type LocalizedMessage, t } from '../../../protocol/language.ts';
/* All facts about a command line before it runs. Plain data: the policy decides, the panel shows. */

export type CommandVerdict = 'reads' | 'unknown' | 'dangerous';

/** One word of a command, after the shell has removed quotes. */
export type Word =
  | { readonly kind: 'plain'; readonly text: string; readonly value: string }
  /** Expands to every file name that matches `value`, or to itself if none does. */
  | { readonly kind: 'pattern'; readonly text: string; readonly value: string }
  /**
   * Known only at run time: it holds a variable, a substitution or braces. `prefix` is its certain beginning. `single`
   * is true if it stays one word.
   */
  | { readonly kind: 'unknown'; readonly text: string; readonly prefix: string; readonly single: boolean };

export interface AnalysedCommand {
  /** Source text. A command inside another one is rebuilt from its words. */
  readonly text: string;
  /** Program name and arguments. Empty for constructs that are no program: an assignment, a test, a redirection. */
  readonly words: readonly Word[];
  /** `git commit`, `npm run build`, `rm`: the subject of a permanent permission. */
  readonly root: string;
  /** True if a permanent permission for `root` would cover no more than a user expects. */
  readonly lasting: boolean;
  readonly verdict: CommandVerdict;
  /** A sentence for the user and for the small model that classifies. */
  readonly reason: LocalizedMessage;
  /** Arguments that name files or folders. Any that is not plain must be asked about. */
  readonly paths: readonly Word[];
  /**
   * Base of relative paths, relative to the folder in which the line begins (`.`). `undefined` if unknown, for example
   * after a `cd` that may have failed.
   */
  readonly folder: string | undefined;
  /** Other names of the same command, in lower case. */
  readonly otherNames?: readonly string[];
  /** The program, or the ones it starts, are known only at run time. */
  readonly isOpaque?: true;
  /** An unknown program, which may start a program that its arguments name. */
  readonly mayStartArguments?: true;
}

export interface CommandAnalysis {
  /**
   * Every command that would run, in text order: also in pipes, lists, loops, subshells, substitutions, function
   * bodies, and behind `bash -c`, `env`, `sudo`, `timeout`, `xargs`, `find -exec`.
   */
  readonly commands: readonly AnalysedCommand[];
  /** The line was not understood and `commands` may be incomplete, so it must be asked about. */
  readonly unparsed?: LocalizedMessage;
  /** The line must not run. Tells the model why, and what to do instead. */
  readonly refused?: LocalizedMessage;
  /** Doubts that no single command causes and that must be asked about. */
  readonly doubts: readonly LocalizedMessage[];
  readonly background: boolean;
  /** Files written by redirections. Files written by `tee` and similar are in the paths of their own commands. */
  readonly writes: readonly FileUse[];
  /** Files read by redirections. */
  readonly reads: readonly FileUse[];
}

export interface FileUse {
  readonly path: Word;
  /** As in `AnalysedCommand.folder`. */
  readonly folder: string | undefined;
}

/**
 * Returns every file and folder that the command names. All must pass the rules for protected paths. If a path is not
 * plain, or the folder of a relative one is unknown, that cannot be checked in advance.
 */
export function filesOfCommand(analysis: CommandAnalysis): readonly FileUse[] {
  const named = analysis.commands.flatMap(({ paths, folder }) => paths.map(path => ({ path, folder })));
  return [...named, ...analysis.reads, ...analysis.writes];
}

export type Classification =
  /** Writes, sends and starts nothing. The files it reads must still be checked: `filesOfCommand`. */
  | { readonly kind: 'reads' }
  | { readonly kind: 'asks'; readonly reasons: readonly LocalizedMessage[] }
  /** Asks regardless of earlier permissions. */
  | { readonly kind: 'dangerous'; readonly reasons: readonly LocalizedMessage[] }
  | { readonly kind: 'refused'; readonly reason: LocalizedMessage };

/** Classifies the line if no rule of the user applies. */
export function classifyCommandLine(analysis: CommandAnalysis): Classification {
  if (analysis.refused !== undefined) return { kind: 'refused', reason: analysis.refused };
  const dangers = analysis.commands.filter(({ verdict }) => verdict === 'dangerous');
  if (dangers.length > 0)
    return { kind: 'dangerous', reasons: dedupeMessages(dangers.map(({ reason }) => reason)) };
  const reasons = dedupeMessages([
    ...(analysis.unparsed === undefined ? [] : [analysis.unparsed]),
    ...analysis.doubts,
    ...(analysis.background ? [() => t('It continues running in the background.')] : []),
    ...analysis.writes.map(
      ({ path }) =>
        () =>
          t('It writes to {0}.', path.text),
    ),
    ...analysis.commands.filter(({ verdict }) => verdict === 'unknown').map(({ reason }) => reason),
  ]);
  if (reasons.length > 0) return { kind: 'asks', reasons };
  // A line without commands runs nothing, so there is nothing to allow.
  return analysis.commands.length > 0
    ? { kind: 'reads' }
    : { kind: 'asks', reasons: [() => t('It contains no command.')] };
}

/** Removes messages whose text repeats an earlier one. */
export function dedupeMessages(sayings: readonly LocalizedMessage[]): readonly LocalizedMessage[] {
  return [...new Map(sayings.map(say => [say(), say])).values()];
}

/** True for backquotes, `$(…)` and `<(…)` that the shell would expand. Text in single quotes does not count. */
export function hasSubstitution(word: Word): boolean {
  return word.kind === 'unknown' && /`|[$<>]\(/.test(word.text.replace(/'[^']*'/g, ''));
}
