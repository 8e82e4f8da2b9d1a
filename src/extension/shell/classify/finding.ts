import type { Saying } from '../../../protocol/language.ts';
import type { Verdict, Word } from './analysis.ts';

/** One program to be started, or one builtin to be run, as the walk through the text finds it. */
export interface Invocation {
  readonly text: string;
  /** The name first; never empty. */
  readonly words: readonly Word[];
  readonly assignments: readonly Assignment[];
  readonly stdin: Input;
}

export interface Assignment {
  readonly name: string;
  readonly text: string;
}

/** Where a command's standard input comes from. A here-document's text is undefined if it is not known. */
export type Input =
  | { readonly kind: 'inherited' }
  /** Its text, where a command that only prints writes it. */
  | { readonly kind: 'pipe'; readonly text?: string }
  | { readonly kind: 'file' }
  | { readonly kind: 'text'; readonly text: string | undefined };

/** The effects of one command automatically, and the commands that it would start. */
export interface Finding {
  readonly verdict: Verdict;
  readonly reason: Saying;
  readonly paths?: readonly Word[];
  readonly inner?: readonly Inner[];
  /** It may start commands that nobody can read before it runs. */
  readonly isOpaque?: true;
  /** Nothing is known about the program, which may start what its arguments name. */
  readonly mayStartArguments?: true;
  readonly refused?: Saying;
  readonly background?: boolean;
  /** How it moves the current folder; `undefined` as value: nobody can tell where to. */
  readonly folder?: FolderMove;
}

export type Inner =
  | {
      readonly kind: 'command';
      readonly words: readonly Word[];
      readonly assignments?: readonly Assignment[];
    }
  | { readonly kind: 'script'; readonly text: string };

interface FolderMove {
  readonly to: string | undefined;
}

export function onlyReads(reason: Saying, paths: readonly Word[] = []): Finding {
  return { verdict: 'reads', reason, paths };
}

export function unknown(reason: Saying, paths: readonly Word[] = []): Finding {
  return { verdict: 'unknown', reason, paths };
}

export function dangerous(reason: Saying, paths: readonly Word[] = []): Finding {
  return { verdict: 'dangerous', reason, paths };
}

export const takesFiles =
  /^(?:rm|rmdir|cp|mv|mkdir|touch|ln|tee|install|truncate|chmod|chown|chgrp|unlink|shred|gzip|gunzip|unzip|dd)$/i;

/** The arguments that name files: all operands of a program that only takes files, else what looks like one. */
export function filesAmong(name: string, args: readonly Word[]): readonly Word[] {
  if (!takesFiles.test(name)) return likelyPaths(args);
  const attached = likelyPaths(args.filter(word => word.kind !== 'unknown' && word.value.startsWith('-')));
  return [...attached, ...args.filter(word => word.kind === 'unknown' || !word.value.startsWith('-'))];
}

/** Words that look like files in an otherwise unknown command, so that they can be checked all the same. */
export function likelyPaths(words: readonly Word[]): readonly Word[] {
  return words.flatMap((word): readonly Word[] => {
    if (word.kind === 'unknown') return /[/~]/.test(word.prefix) ? [word] : [];
    const attached = /^--?[\w-]+=(.+)$/s.exec(word.value)?.[1];
    const value = attached ?? word.value;
    if (/^[a-z][a-z+.-]*:\/\//i.test(value)) return [];
    if (word.value.startsWith('-') && attached === undefined) return [];
    return /[/\\~]|^\.|\.\w{1,8}$/.test(value) ? [{ kind: word.kind, text: word.text, value }] : [];
  });
}
