/* Commands in the arguments of another command, and how those arguments are read. */

import type { Word } from './analysis.ts';
import type { InnerCommand } from './finding.ts';
import { plainValue, plainWord } from './words.ts';

export interface InnerCommands {
  readonly inner: readonly InnerCommand[];
  /** True if some of them are known only at run time. */
  readonly isOpaque?: true;
}

export const opaqueCommands: InnerCommands = { inner: [], isOpaque: true };

/** Reads one word as a shell command line. @param start required prefix to remove */
export function innerCommandIn(word: Word, start?: RegExp): InnerCommands {
  const known = word.kind === 'unknown' ? word.prefix : word.value;
  const text = start ? known.replace(start, '') : known;
  if (start && text === known) return { inner: [] };
  if (word.kind === 'unknown') return opaqueCommands;
  return text.trim() === '' ? { inner: [] } : { inner: [{ kind: 'script', text }] };
}

/** Reads words joined into one command line. */
export function innerCommandInWords(words: readonly Word[]): InnerCommands {
  const values = words.map(plainValue);
  if (words.length === 0) return { inner: [] };
  return values.every(value => value !== undefined)
    ? { inner: [{ kind: 'script', text: values.join(' ') }] }
    : opaqueCommands;
}

export function joinInnerCommands(all: readonly (InnerCommands | undefined)[]): InnerCommands {
  const inner = all.flatMap(each => each?.inner ?? []);
  return all.some(each => each?.isOpaque) ? { inner, isOpaque: true } : { inner };
}

/** Returns the values of options, attached, after `=` or in the next word. */
export function optionValues(args: readonly Word[], names: readonly string[]): readonly Word[] {
  return args.flatMap((word, at) => {
    const value = word.kind === 'unknown' ? word.prefix : word.value;
    const next = args.slice(at + 1, at + 2);
    const long = names.find(name => name.startsWith('--') && value.startsWith(`${name}=`));
    if (long) return [behindPrefix(word, long.length + 1)];
    if (names.includes(value) && word.kind !== 'unknown') return next;
    const letter = names.find(name => /^-\w$/.test(name) && clusterOf(name).test(value));
    if (letter && value.endsWith(letter[1]!)) return next;
    const attached = names.find(name => /^-\w$/.test(name) && value.startsWith(name) && value.length > 2);
    return attached ? [behindPrefix(word, 2)] : [];
  });
}

function clusterOf(name: string): RegExp {
  return new RegExp(`^-[a-zA-Z]+${name[1]}$`);
}

function behindPrefix(word: Word, length: number): Word {
  return word.kind === 'unknown'
    ? { ...word, prefix: word.prefix.slice(length) }
    : plainWord(word.value.slice(length));
}
