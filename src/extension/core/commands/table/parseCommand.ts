import { t } from '../../../../protocol/language.ts';
import { nearestNames } from '../../../base/similarity.ts';
import { headOf } from '../../../base/text.ts';
import { ExtensionError } from '../../../platform/customizations/extensionFolders.ts';
import { ServerFileError } from '../../../platform/customizations/serverFiles.ts';
import { CommandError } from '../../commandError.ts';
import type { Command, CommandContext } from '../commands.ts';
import type { CommandTable } from './commandTable.ts';

type ParsedPrompt =
  | { readonly kind: 'prompt' }
  | { readonly kind: 'command'; readonly command: Command; readonly argument: string }
  /** Looks like a command, but none has this name. */
  | { readonly kind: 'refused'; readonly sentence: string };

/** Decides whether a prompt is a command. Paths such as `/usr/bin`, comments and a lone slash are prompts. */
export function parseCommand(text: string, table: CommandTable): ParsedPrompt {
  const [, name, rest = ''] = /^\/(\S+)([\s\S]*)$/u.exec(text.trim()) ?? [];
  if (name === undefined) return { kind: 'prompt' };
  const command = findCommand(name, table.commands);
  const argument = rest.trim();
  if (!command) {
    const why = findUnused(name, table);
    if (why !== undefined) return { kind: 'refused', sentence: why };
    return looksLikeName.test(name)
      ? { kind: 'refused', sentence: describeUnknown(name, table) }
      : { kind: 'prompt' };
  }
  if (argument !== '' && command.argument === undefined)
    return { kind: 'refused', sentence: t('/{0} takes no arguments.', command.name) };
  return { kind: 'command', command, argument };
}

/** True if it needs a connected model. */
export function asksModel(parsed: ParsedPrompt): boolean {
  switch (parsed.kind) {
    case 'prompt':
      return true;
    case 'refused':
      return false;
    case 'command': {
      const when = parsed.command.asksModel;
      return when === 'always' || (when === 'withArgument' && parsed.argument !== '');
    }
  }
}

/**
 * Returns sentences about why the command failed; `undefined`: it succeeded.
 * @param how typed by the user, or composed by a dialog
 */
export async function runCommand(
  { run }: Command,
  surface: CommandContext,
  argument: string,
  how: 'typed' | 'dialog' = 'typed',
): Promise<string | undefined> {
  try {
    await run(surface, argument);
    return undefined;
  } catch (error) {
    if (error instanceof CommandError)
      return how === 'typed' ? `${error.message} ${error.hint}`.trimEnd() : error.message;
    if (error instanceof ExtensionError || error instanceof ServerFileError) return error.message;
    throw error;
  }
}

const looksLikeName = /^\p{L}[\p{L}\p{N}_:-]*(?:\.[\p{L}\p{N}_:-]+)*$/u;

function findCommand(name: string, commands: readonly Command[]): Command | undefined {
  const plain = name.toLowerCase();
  return (
    commands.find(each => each.name === name) ??
    commands.find(each => each.name.toLowerCase() === plain || each.aliases?.includes(plain))
  );
}

function findUnused(name: string, { unused }: CommandTable): string | undefined {
  const plain = name.toLowerCase();
  return [...unused].find(([each]) => each.toLowerCase() === plain)?.[1];
}

function describeUnknown(name: string, { commands, hint }: CommandTable): string {
  const [nearest] = nearestNames(
    name,
    commands.map(each => each.name),
  );
  const unknown = t(
    'There is no command /{0}. Did you mean /{1}? /help shows all commands.',
    headOf(name, 40),
    nearest!,
  );
  return hint === undefined ? unknown : `${unknown} ${hint}`;
}
