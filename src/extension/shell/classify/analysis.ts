import { type Saying, t } from '../../../protocol/language.ts';
/* Everything that is known about a command line before it runs. Plain data: the policy decides, the panel shows. */

export type Verdict = 'reads' | 'unknown' | 'dangerous';

/** One word of a command, after the shell has taken the quotes away. */
export type Word =
  | { readonly kind: 'plain'; readonly text: string; readonly value: string }
  /** Stands for every file name that matches `value`, or for itself if none does. */
  | { readonly kind: 'pattern'; readonly text: string; readonly value: string }
  /**
   * Only known when it runs: it holds a variable, a substitution or braces. `prefix` is what it surely begins
   * with, and `single` says that it stays one word.
   */
  | { readonly kind: 'unknown'; readonly text: string; readonly prefix: string; readonly single: boolean };

export interface SubCommand {
  /** As it is written; a command inside another one is written again from its words. */
  readonly text: string;
  /** The name first. Empty for what is no program: an assignment, a test, a redirection. */
  readonly words: readonly Word[];
  /** `git commit`, `npm run build`, `rm`: what a lasting permission would name. */
  readonly root: string;
  /** A lasting permission for `root` would cover no more than a user expects of it. */
  readonly lasting: boolean;
  readonly verdict: Verdict;
  /** A sentence for the user, and for a small model that classifies. */
  readonly reason: Saying;
  /** Arguments that name files or folders. One that is not plain must be asked about. */
  readonly paths: readonly Word[];
  /**
   * The folder that relative paths start from, seen from the folder in which the whole begins (`.`).
   * Undefined if it is not known, after a `cd` that may have failed for example.
   */
  readonly folder: string | undefined;
  /** Names that stand for the same command, in lower case. */
  readonly otherNames?: readonly string[];
  /** It is not known before it runs which program this is, or which ones it starts. */
  readonly isOpaque?: true;
  /** A program that nothing is known about: it may start what its arguments name. */
  readonly mayStartArguments?: true;
}

export interface CommandAnalysis {
  /**
   * Every command that would run, in the order of the text: also inside pipes, lists, loops, subshells,
   * substitutions, function bodies, and behind `bash -c`, `env`, `sudo`, `timeout`, `xargs`, `find -exec`.
   */
  readonly commands: readonly SubCommand[];
  /** The whole could not be understood, and `commands` may be incomplete: it must be asked about. */
  readonly unparsed?: Saying;
  /** It must not run at all; the sentence tells the model why, and what to do instead. */
  readonly refused?: Saying;
  /** Sentences about doubts that no single command causes and that must be asked about. */
  readonly doubts: readonly Saying[];
  readonly background: boolean;
  /** Files written by redirections; what `tee` and its like write is in the paths of their own commands. */
  readonly writes: readonly FileUse[];
  /** Files read by redirections. */
  readonly reads: readonly FileUse[];
}

export interface FileUse {
  readonly path: Word;
  /** As in `SubCommand.folder`. */
  readonly folder: string | undefined;
}

/**
 * Every file and folder that the command names: all of them must pass the rules for protected paths. Where the
 * path is not plain, or the folder of a relative one is not known, nobody can say so in advance.
 */
export function filesOf(analysis: CommandAnalysis): readonly FileUse[] {
  const named = analysis.commands.flatMap(({ paths, folder }) => paths.map(path => ({ path, folder })));
  return [...named, ...analysis.reads, ...analysis.writes];
}

export type Classification =
  /** Nothing in it writes, sends or starts anything. The files that it reads are still to be checked: `filesOf`. */
  | { readonly kind: 'reads' }
  | { readonly kind: 'asks'; readonly reasons: readonly Saying[] }
  /** Asks whatever was allowed before. */
  | { readonly kind: 'dangerous'; readonly reasons: readonly Saying[] }
  | { readonly kind: 'refused'; readonly reason: Saying };

/** The classification of the whole line when no rule of the user says anything. */
export function classifyWhole(analysis: CommandAnalysis): Classification {
  if (analysis.refused !== undefined) return { kind: 'refused', reason: analysis.refused };
  const dangers = analysis.commands.filter(({ verdict }) => verdict === 'dangerous');
  if (dangers.length > 0) return { kind: 'dangerous', reasons: unique(dangers.map(({ reason }) => reason)) };
  const reasons = unique([
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
  // A line without any command is no mistake of the reader's: there is nothing to run, and so nothing to allow.
  return analysis.commands.length > 0
    ? { kind: 'reads' }
    : { kind: 'asks', reasons: [() => t('It contains no command.')] };
}

/** Sentences that say the same count once. */
export function unique(sayings: readonly Saying[]): readonly Saying[] {
  return [...new Map(sayings.map(say => [say(), say])).values()];
}

/** Backquotes, `$(…)` and `<(…)` that the shell would resolve: text between single quotes is none. */
export function holdsSubstitution(word: Word): boolean {
  return word.kind === 'unknown' && /`|[$<>]\(/.test(word.text.replace(/'[^']*'/g, ''));
}
