import * as z from 'zod';
import { t } from '../../../../protocol/language.ts';
import { later } from '../../../../protocol/later.ts';
import { messageOf } from '../../../base/errors.ts';
import { oneLine, plainLine } from '../../../base/text.ts';
import type { Customization } from '../../customizations/files/customization.ts';
import { parseBraceTemplate } from '../template/braceTemplate.ts';
import type { CommandBody, CustomCommand } from './customCommand.ts';
import { broken, descriptionLength } from './customCommand.ts';

/** `prompt` and, if there is one, `description`; other keys are left alone. Never rejects. */
export async function readTomlCommand(item: Customization, name: string): Promise<CustomCommand> {
  const { path, origin, text } = item;
  const read = await readFields(text);
  const command = { name, origin, path };
  if (typeof read === 'string') return { ...command, description: '', body: broken(path, read) };
  const parsed = parseBraceTemplate(read.prompt);
  const body: CommandBody =
    parsed.kind === 'broken'
      ? broken(path, parsed.problem)
      : { kind: 'template', template: parsed.template, notes: [] };
  const description = plainLine(read.description ?? '', descriptionLength);
  return { ...command, description: description || t('Your command {0}', name), body };
}

const known = later(() =>
  z.object({
    prompt: z.string().refine(text => text.trim() !== ''),
    description: z.string().optional(),
  }),
);

/** A text is the end of a sentence about what is wrong. */
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
    ? t('has a description that is no text')
    : t('has no prompt, which is to be a text');
}
