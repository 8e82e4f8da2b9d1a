import type { LocalizedMessage } from '../../../protocol/language.ts';
import type { CommandVerdict, Word } from './analysis.ts';

/** One program or builtin to run, as found by the walk. */
export interface Invocation {
  readonly text: string;
  /** Name and arguments; never empty. */
  readonly words: readonly Word[];
  readonly assignments: readonly Assignment[];
  readonly stdin: StandardInput;
}

export interface Assignment {
  readonly name: string;
  readonly text: string;
}

/** Source of a command's standard input. The text of a here-document is `undefined` if unknown. */
export type StandardInput =
  | { readonly kind: 'inherited' }
  /** `text` is set if the writing command only prints. */
  | { readonly kind: 'pipe'; readonly text?: string }
  | { readonly kind: 'file' }
  | { readonly kind: 'text'; readonly text: string | undefined };

/** Effects of one command without those it starts, and the commands it would start. */
export interface Finding {
  readonly verdict: CommandVerdict;
  readonly reason: LocalizedMessage;
  readonly paths?: readonly Word[];
  readonly inner?: readonly InnerCommand[];
  /** True if it may start commands that are known only at run time. */
  readonly isOpaque?: true;
  /** An unknown program, which may start a program that its arguments name. */
  readonly mayStartArguments?: true;
  readonly refused?: LocalizedMessage;
  readonly background?: boolean;
  /** Change of the current folder; `undefined` as value if the target is unknown. */
  readonly folder?: FolderMove;
}

export type InnerCommand =
  | {
      readonly kind: 'command';
      readonly words: readonly Word[];
      readonly assignments?: readonly Assignment[];
    }
  | { readonly kind: 'script'; readonly text: string };

interface FolderMove {
  readonly to: string | undefined;
}

export function readOnlyFinding(reason: LocalizedMessage, paths: readonly Word[] = []): Finding {
  return { verdict: 'reads', reason, paths };
}

export function unclearFinding(reason: LocalizedMessage, paths: readonly Word[] = []): Finding {
  return { verdict: 'unknown', reason, paths };
}

export function dangerousFinding(reason: LocalizedMessage, paths: readonly Word[] = []): Finding {
  return { verdict: 'dangerous', reason, paths };
}

export const fileProgramPattern =
  /^(?:rm|rmdir|cp|mv|mkdir|touch|ln|tee|install|truncate|chmod|chown|chgrp|unlink|shred|gzip|gunzip|unzip|dd)$/i;

/** Returns the arguments that name files: all operands of a program that takes only files, else likely paths. */
export function fileArguments(name: string, args: readonly Word[]): readonly Word[] {
  if (!fileProgramPattern.test(name)) return likelyPaths(args);
  const attached = likelyPaths(args.filter(word => word.kind !== 'unknown' && word.value.startsWith('-')));
  return [...attached, ...args.filter(word => word.kind === 'unknown' || !word.value.startsWith('-'))];
}

/** Returns words that look like paths in an otherwise unknown command, so that they can be checked. */
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
