/* Messages about calls that cannot be made, and arguments as cards show them. */

import { t } from '../../../protocol/language.ts';
import { escapeInvisibleText } from '../../base/hiddenText.ts';
import { nearestNames } from '../../base/similarity.ts';
import { headOf, oneLine } from '../../base/text.ts';
import type { AnyTool } from '../tool.ts';
import { namelessCall } from './correctToolNames.ts';

type Arguments = Readonly<Record<string, unknown>>;

export function unknownTool(name: string, known: readonly string[]): string {
  if (name === namelessCall) return 'The call has no name. Call it again with the name of the tool.';
  return `There is no tool ${cardLine(name)}. The nearest are ${nearestNames(name, known).join(', ')}.`;
}

export function invalidArguments(
  name: string,
  error: { readonly issues: readonly { path: PropertyKey[]; message: string }[] } | undefined,
): string {
  const issues = (error?.issues ?? []).map(
    issue => `${issue.path.map(String).join('.') || 'arguments'}: ${issue.message}`,
  );
  return `The arguments of ${name} are not valid: ${issues.join('; ')}. Call it again with them right.`;
}

/** Titles a call whose arguments the tool refused, so that the tool cannot title it. */
export function refusedTitle(
  { name, effect, schema, of }: Pick<AnyTool, 'name' | 'effect' | 'schema' | 'of'>,
  { file_path: path, command }: Arguments,
): string {
  // External tools have names that these rules do not fit.
  if (schema !== undefined || of !== undefined) return name;
  if (effect === 'run' && typeof command === 'string') return t('Run {0}', command);
  if (effect === 'edit' && typeof path === 'string') return t('Edit {0}', path);
  if (effect === 'read' && typeof path === 'string') return t('Read {0}', path);
  const words = name.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** @param why the provider's parse error */
export function unreadableArguments(name: string, why: string): string {
  return `The arguments of ${cardLine(name)} could not be read as one JSON object: ${why}`;
}

/** Characters of a card's title, since a model may pass megabytes as a pattern. */
export const callTitleLimit = 300;

/** Appends text from hooks. */
export function withNote(text: string, note: string): string {
  return note ? `${text}\n\n${note}` : text;
}

/** Formats one line of a card and reveals hidden characters, since names, patterns and queries come from a model. */
export function cardLine(text: string, limit = 120): string {
  return oneLine(escapeInvisibleText(headOf(text, 4 * limit)), limit);
}

/** Cuts long strings for the card; the history has them in full. */
export function shortArgs(args: Arguments): Arguments {
  const cut = (value: unknown) =>
    typeof value === 'string' && value.length > 2000 ? `${headOf(value, 2000)}…` : value;
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, cut(value)]));
}
