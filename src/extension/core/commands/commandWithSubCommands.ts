/* A command with subcommands: `/memory add …`, `/chat list`. */

import { t } from '../../../protocol/language.ts';
import { nearestNames } from '../../base/similarity.ts';
import { oneLine } from '../../base/text.ts';
import { CommandError } from '../commandError.ts';
import type { Command, SlashSubCommand } from './commands.ts';

interface Family {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly words: readonly SlashSubCommand[];
  /** Describes the command and runs without a subcommand: the name of a subcommand, or a function. */
  readonly alone: string | Pick<SlashSubCommand, 'description' | 'run'>;
  /** Handles any other argument; `run` returns `undefined` for an invalid one. */
  readonly other?: {
    readonly argument: string;
    readonly run: (...call: Parameters<Command['run']>) => Promise<unknown> | undefined;
  };
}

export function commandWithSubCommands({ alone: meant, other, ...head }: Family): Command {
  const { name, words } = head;
  const alone = typeof meant === 'string' ? words.find(word => word.name === meant)! : meant;
  const offered = [...words.map(word => word.name), ...(other ? [other.argument] : [])];
  return {
    ...head,
    description: alone.description,
    argument: formatWordList(offered),
    run: async (surface, argument) => {
      if (argument === '') return await alone.run(surface, '');
      const [, wanted = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(argument) ?? [];
      const word = findWord(wanted, words);
      const otherwise = word ? undefined : other?.run(surface, argument);
      if (otherwise) return await otherwise;
      if (!word) throw new CommandError(describeUnknown(name, wanted, words));
      if (rest !== '' && word.argument === undefined)
        throw new CommandError(t('/{0} {1} takes no arguments.', name, word.name));
      return await word.run(surface, rest);
    },
  };
}

function findWord(wanted: string, words: readonly SlashSubCommand[]): SlashSubCommand | undefined {
  const plain = wanted.toLowerCase();
  return words.find(({ name, aliases = [] }) => name === plain || aliases.includes(plain));
}

function describeUnknown(name: string, wanted: string, words: readonly SlashSubCommand[]): string {
  const [nearest] = nearestNames(
    wanted,
    words.map(word => word.name),
  );
  return t(
    '/{0} does not know “{1}”. Did you mean /{2} {3}? /help shows all commands.',
    name,
    oneLine(wanted, 40),
    name,
    nearest ?? '',
  );
}

/** Formats `show, add or list`. */
export function formatWordList(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : t('{0} or {1}', words.slice(0, -1).join(', '), words.at(-1) ?? '');
}
