import type { CompletionChoice } from '../../../protocol/mentions.ts';
import { type Command, commands } from './commands.ts';

/** What can follow a slash at the beginning of a prompt: names that begin so, then those that hold it. */
export function completeCommand(query: string): readonly CompletionChoice[] {
  const wanted = query.toLowerCase();
  const begins = commands.filter(({ name }) => name.startsWith(wanted));
  const holds = commands.filter(({ name }) => !name.startsWith(wanted) && name.includes(wanted));
  return [...begins, ...holds].map(offer);
}

function offer({ name, description }: Command): CompletionChoice {
  return { kind: 'command', label: `/${name}`, insert: `/${name} `, detail: description };
}
