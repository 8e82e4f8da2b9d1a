import { t } from '../../../../protocol/language.ts';
import { plainLine } from '../../../base/text.ts';
import type { Customization } from '../../customizations/files/customization.ts';
import { hintLength, hintOf, readFrontmatter } from '../../customizations/files/frontmatter.ts';
import { parseMarkdownTemplate } from '../template/markdownTemplate.ts';
import type { CustomCommand } from './customCommand.ts';
import { broken, descriptionLength } from './customCommand.ts';

/** A text with or without frontmatter; of its keys those count that say what the command is. Never rejects. */
export async function readMarkdownCommand(item: Customization, name: string): Promise<CustomCommand> {
  const { path, origin, text } = item;
  const command = { name, origin, path, description: '' };
  const read = await readFrontmatter(text);
  if (read.kind === 'broken') return { ...command, body: broken(path, read.problem) };
  if (read.body.trim() === '') return { ...command, body: broken(path, t('has no text')) };
  const parsed = parseMarkdownTemplate(read.body);
  if (parsed.kind === 'broken') return { ...command, body: broken(path, parsed.problem) };
  const { data } = read;
  const hint = plainLine(hintOf(data['argument-hint']), hintLength);
  const model = typeof data.model === 'string' ? data.model.trim() : '';
  return {
    ...command,
    description: plainLine(describe(data.description, read.body), descriptionLength),
    hint: hint || undefined,
    body: {
      kind: 'template',
      template: parsed.template,
      model: model || undefined,
      notes:
        data['allowed-tools'] === undefined
          ? []
          : [t('The allowed-tools of /{0} are not heeded: your own permissions hold.', name)],
    },
  };
}

/** Without a description the first line that says something stands for it. */
function describe(description: unknown, body: string): string {
  if (typeof description === 'string' && description.trim() !== '') return description;
  const line = body.split('\n').find(each => /\p{L}/u.test(each)) ?? '';
  return line.replace(/^[#>*\s-]+/, '');
}
