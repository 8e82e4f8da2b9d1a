import { nearestNames } from '../calls/nearestNames.ts';
import { type Command, commands } from './commands.ts';

export type ParsedPrompt =
  | { readonly kind: 'prompt' }
  | { readonly kind: 'command'; readonly command: Command; readonly argument: string }
  /** It looks like a command and is none, or not like this. */
  | { readonly kind: 'refused'; readonly sentence: string };

/** Decides whether a prompt is a command. Paths such as `/usr/bin`, comments and a lone slash are prompts. */
export function parseCommand(text: string): ParsedPrompt {
  const [, name, rest = ''] = /^\/(\p{L}[\p{L}\p{N}_:-]*)(?=\s|$)([\s\S]*)$/u.exec(text.trim()) ?? [];
  if (name === undefined) return { kind: 'prompt' };
  const command = commands.find(each => each.name === name.toLowerCase());
  const argument = rest.trim();
  if (!command) return { kind: 'refused', sentence: describeUnknown(name) };
  if (argument !== '' && command.argument === undefined)
    return { kind: 'refused', sentence: `/${command.name} takes nothing after its name.` };
  return { kind: 'command', command, argument };
}

function describeUnknown(name: string): string {
  const [nearest] = nearestNames(
    name,
    commands.map(each => each.name),
  );
  return `There is no command /${name.slice(0, 40)}. The nearest is /${nearest}; /help shows all.`;
}
