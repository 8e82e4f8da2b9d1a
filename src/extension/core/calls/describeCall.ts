/* Sentences about calls that cannot be made, and what a card shows of arguments. */

import { messageOf } from '../../base/errors.ts';
import { showHidden } from '../../base/hiddenText.ts';
import { nearestNames } from '../../base/similarity.ts';
import { headOf, oneLine } from '../../base/text.ts';

export function unknownTool(name: string, known: readonly string[]): string {
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

/** @param text what the model wrote in place of a JSON object */
export function unreadableArguments(name: string, text: string): string {
  return `The arguments of ${name} could not be read: ${describeFault(text)}. They were: ${oneLine(text, 200)}`;
}

function describeFault(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return `they must be one JSON object, not ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}`;
  } catch (error) {
    return `they are not valid JSON (${oneLine(messageOf(error), 200)})`;
  }
}

/** Characters of a card's title: a model may pass megabytes as a pattern. */
export const titleLimit = 300;

/** With what hooks said. */
export function withNote(text: string, note: string): string {
  return note ? `${text}\n\n${note}` : text;
}

/** One line of a card, in which nothing is hidden: names of files and tools, patterns and queries come from a model. */
export function cardLine(text: string, limit = 120): string {
  return oneLine(showHidden(headOf(text, 4 * limit)), limit);
}

/** For the card: long strings are cut, the whole stands in history. */
export function shortArgs(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const cut = (value: unknown) =>
    typeof value === 'string' && value.length > 2000 ? `${headOf(value, 2000)}…` : value;
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, cut(value)]));
}
