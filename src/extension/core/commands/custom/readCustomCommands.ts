import * as z from 'zod';
import { t } from '../../../../protocol/language.ts';
import { lazySchema } from '../../../../protocol/lazySchema.ts';
import { messageOf } from '../../../base/errors.ts';
import { oneLine, sanitiseLine } from '../../../base/text.ts';
import type { CustomOrigin } from '../../../platform/customizations/customFiles.ts';
import type { Customization } from '../../customizations/files/customization.ts';
import { formatArgumentHint, hintLength, readFrontmatter } from '../../customizations/files/frontmatter.ts';
import type { ParsedEntries } from '../../customizations/files/parsedCustomizations.ts';
import { parseBraceTemplate } from '../template/braceTemplate.ts';
import { parseMarkdownTemplate } from '../template/markdownTemplate.ts';
import { commandName } from './commandName.ts';
import { brokenCommand, type CommandBody, type CustomCommand, descriptionLength } from './customCommand.ts';

/**
 * Reads commands by source and name. For duplicates within a source, the later wins, in either format. Never rejects.
 */
export async function readCustomCommands(
  items: readonly Customization[],
): Promise<ParsedEntries<CustomCommand>> {
  const entries = new Map<string, CustomCommand>();
  for (const item of items) {
    const name = commandName(item.name);
    const command = await (item.format === 'toml' ? readTomlCommand : readMarkdownCommand)(item, name);
    entries.set(`${sourceOf(item.origin)} ${name}`, command);
  }
  const problems = [...entries.values()].flatMap(({ body }) =>
    body.kind === 'broken' ? [body.sentence] : [],
  );
  return { entries, problems };
}

function sourceOf(origin: CustomOrigin): string {
  return origin.kind === 'extension' ? `extension:${origin.name}` : origin.kind;
}

/** Reads Markdown with or without frontmatter, of which only known keys count. Never rejects. */
async function readMarkdownCommand(item: Customization, name: string): Promise<CustomCommand> {
  const { path, origin, text } = item;
  const command = { name, origin, path, description: '' };
  const read = await readFrontmatter(text);
  if (read.kind === 'broken') return { ...command, body: brokenCommand(path, read.problem) };
  if (read.body.trim() === '') return { ...command, body: brokenCommand(path, t('has no text')) };
  const parsed = parseMarkdownTemplate(read.body);
  if (parsed.kind === 'broken') return { ...command, body: brokenCommand(path, parsed.problem) };
  const { data } = read;
  const hint = sanitiseLine(formatArgumentHint(data['argument-hint']), hintLength);
  const model = typeof data.model === 'string' ? data.model.trim() : '';
  return {
    ...command,
    description: sanitiseLine(describe(data.description, read.body), descriptionLength),
    hint: hint || undefined,
    body: {
      kind: 'template',
      template: parsed.template,
      model: model || undefined,
      notes:
        data['allowed-tools'] === undefined
          ? []
          : [t('The allowed-tools of /{0} are ignored: your own permissions apply.', name)],
    },
  };
}

/** Without a description, the first meaningful line stands for it. */
function describe(description: unknown, body: string): string {
  if (typeof description === 'string' && description.trim() !== '') return description;
  const line = body.split('\n').find(each => /\p{L}/u.test(each)) ?? '';
  return line.replace(/^[#>*\s-]+/, '');
}

/** Reads `prompt` and an optional `description`; ignores other keys. Never rejects. */
async function readTomlCommand(item: Customization, name: string): Promise<CustomCommand> {
  const { path, origin, text } = item;
  const read = await readFields(text);
  const command = { name, origin, path };
  if (typeof read === 'string') return { ...command, description: '', body: brokenCommand(path, read) };
  const parsed = parseBraceTemplate(read.prompt);
  const body: CommandBody =
    parsed.kind === 'broken'
      ? brokenCommand(path, parsed.problem)
      : { kind: 'template', template: parsed.template, notes: [] };
  const description = sanitiseLine(read.description ?? '', descriptionLength);
  return { ...command, description: description || t('Your command {0}', name), body };
}

const known = lazySchema(() =>
  z.object({
    prompt: z.string().refine(text => text.trim() !== ''),
    description: z.string().optional(),
  }),
);

/** Returns a string as the end of a sentence about an error. */
async function readFields(text: string): Promise<z.infer<ReturnType<typeof known>> | string> {
  const { parse } = await import('smol-toml');
  let data: unknown;
  try {
    data = parse(text.replace(/\r\n?/g, '\n'));
  } catch (error) {
    const [what = ''] = messageOf(error).split('\n');
    return t('is not valid TOML ({0})', oneLine(what, 160));
  }
  const fields = known().safeParse(data);
  if (fields.success) return fields.data;
  const [key] = fields.error.issues[0]?.path ?? [];
  return key === 'description'
    ? t('has a description that is not a string')
    : t('has no prompt: "prompt" must be a string');
}
