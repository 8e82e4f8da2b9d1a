/*
 * Expands a template: reads files, classifies all commands before any runs, then inserts everything at once. Inserted
 * text is not parsed again.
 */

import type { Attachment } from '../../../../protocol/intentions.ts';
import { t } from '../../../../protocol/language.ts';
import { CommandError } from '../../commandError.ts';
import { fillFilePlaceholder } from './fillFilePlaceholder.ts';
import { quoteArgument } from './quoteArgument.ts';
import { runTemplateCommands } from './runTemplateCommands.ts';
import {
  type ArgumentIndex,
  type CommandPart,
  type Template,
  type TemplateAttachment,
  type TemplatePart,
  takesArguments,
} from './template.ts';
import type { TemplateServices } from './templateSources.ts';
import { splitWords } from './words.ts';

export interface TypedCommand {
  /** Without the slash. */
  readonly name: string;
  /** The text typed after the command's name. */
  readonly argument: string;
  /** The full typed text. */
  readonly typed: string;
}

/** Rejects with a `CommandError`, or with the signal's reason on abort. */
export async function expandTemplate(
  template: Template,
  typedCommand: TypedCommand,
  work: TemplateServices,
): Promise<{ readonly text: string; readonly attachments: readonly Attachment[] }> {
  const values = valuesOf(typedCommand.argument);
  const lines = writeLines(template.pieces, values, typedCommand.name, work.platform);
  const attachments: Attachment[] = [];
  const files = new Map<TemplatePart, string>();
  for (const piece of template.pieces) {
    if (piece.kind !== 'file') continue;
    const filled = await fillFilePlaceholder(piece.path, work);
    files.set(piece, filled.kind === 'text' ? filled.text : piece.raw);
    if (filled.kind === 'attached') files.set(piece, filled.name);
    if (filled.kind === 'attached') attachments.push({ kind: 'file', path: filled.path });
  }
  attachments.push(...(await attachNamed(template.named, values, work)));
  const printed = await runTemplateCommands([...lines.values()], typedCommand.name, work);
  const outputs = new Map([...lines.keys()].map((piece, index) => [piece, printed[index]!]));
  const text = template.pieces.map(piece => textOf(piece, values, files, outputs)).join('');
  return { text: text + appended(template, typedCommand), attachments: unique(attachments) };
}

type Values = (which: ArgumentIndex) => string;

function valuesOf(argument: string): Values {
  const words = splitWords(argument);
  return which => (which === 'all' ? argument : (words[which - 1] ?? ''));
}

/** Without a placeholder, typed text is appended. */
function appended(template: Template, { argument, typed }: TypedCommand): string {
  return argument !== '' && !takesArguments(template) ? `\n\n${typed}` : '';
}

function textOf(
  piece: TemplatePart,
  values: Values,
  files: ReadonlyMap<TemplatePart, string>,
  outputs: ReadonlyMap<TemplatePart, string>,
): string {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'argument':
      return values(piece.which);
    case 'file':
      return files.get(piece) ?? piece.raw;
    case 'command':
      return outputs.get(piece) ?? '';
  }
}

/** Inserts arguments into the command lines. */
function writeLines(
  pieces: readonly TemplatePart[],
  values: Values,
  name: string,
  platform: string,
): ReadonlyMap<TemplatePart, string> {
  const lines = new Map<TemplatePart, string>();
  for (const piece of pieces) {
    if (piece.kind !== 'command' || piece.words.length === 0) continue;
    lines.set(piece, writeLine(piece.words, values, name, platform));
  }
  return lines;
}

function writeLine(words: readonly CommandPart[], values: Values, name: string, platform: string): string {
  let text = '';
  // The quoting of a placeholder must not depend on the value of another.
  let shape = '';
  for (const word of words) {
    if (word.kind === 'text') {
      text += word.text;
      shape += word.text;
      continue;
    }
    const quoted = quoteArgument(values(word.which), shape, platform);
    const empty = quoteArgument('', shape, platform);
    if (quoted.kind === 'refused' || empty.kind === 'refused') {
      const why = quoted.kind === 'refused' ? quoted.why() : '';
      throw new CommandError(
        t('/{0} was not sent: an argument of its command {1}, so the command did not run.', name, why),
      );
    }
    text += quoted.text;
    shape += empty.text;
  }
  return text;
}

async function attachNamed(
  named: readonly TemplateAttachment[],
  values: Values,
  { mentions, notify }: TemplateServices,
): Promise<readonly Attachment[]> {
  const attachments: Attachment[] = [];
  for (const each of named) {
    const readings = each.kind === 'path' ? each.readings : [values(each.which)];
    const path = await findFirst(readings, mentions);
    const isMeant = each.kind === 'argument' || each.deliberate;
    if (path !== undefined) attachments.push({ kind: 'file', path });
    else if (isMeant && readings[0]) notify(t('There is no file {0}, so it was not sent.', readings.at(-1)!));
  }
  return attachments;
}

async function findFirst(
  readings: readonly string[],
  { files }: TemplateServices['mentions'],
): Promise<string | undefined> {
  for (const reading of readings) {
    if (reading === '') continue;
    const found = await files.find(reading);
    // A refused file is attached, too, so that its reader explains the refusal.
    if (found.kind === 'file' || found.kind === 'folder') return found.shown;
    if (found.kind === 'refused') return reading;
  }
  return undefined;
}

function unique(attachments: readonly Attachment[]): readonly Attachment[] {
  const seen = new Map(attachments.map(each => [JSON.stringify(each), each]));
  return [...seen.values()];
}
