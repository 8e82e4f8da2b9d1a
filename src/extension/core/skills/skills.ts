/* Skills: instructions for one kind of work. The model knows their names and descriptions, and loads one when it fits. */

import { dirname } from 'node:path';
import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { later } from '../../../protocol/later.ts';
import { plainLine } from '../../base/text.ts';
import type { Parsed } from '../customizations/files/book.ts';
import type { Customization } from '../customizations/files/customization.ts';
import { firstParagraph, hintLength, hintOf, readFrontmatter } from '../customizations/files/frontmatter.ts';

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** The text below the frontmatter. */
  readonly body: string;
  /** Its folder, absolute: files that it speaks of lie there. */
  readonly folder: string;
  readonly source: 'person' | 'workspace' | 'extension';
  /** The model may load it when it fits; else only the user sends for it. */
  readonly isForModel: boolean;
  /** The user may send for it by its name. */
  readonly isForUser: boolean;
  /** Hints at the argument behind the name. */
  readonly hint?: string;
}

/** When two share a name, the later one of the list counts. Never rejects. */
export async function readSkills(items: readonly Customization[]): Promise<Parsed<Skill>> {
  const entries = new Map<string, Skill>();
  const problems: string[] = [];
  for (const item of items) {
    const read = await readSkill(item);
    if (typeof read === 'string') problems.push(read);
    else entries.set(read.name, read);
  }
  return { entries, problems };
}

/** The name that the frontmatter gives a skill, as the model knows it. Never rejects. */
export async function ownNameOf(item: Customization): Promise<string | undefined> {
  const read = await readSkill(item);
  return typeof read === 'string' ? undefined : read.name;
}

const descriptionLength = 500;

/** A value of the wrong type counts as absent. */
const described = later(() =>
  z.object({
    name: z
      .union([z.string(), z.number().transform(String)])
      .pipe(z.string().trim().min(1).max(100))
      .optional()
      .catch(undefined),
    description: z.string().trim().min(1).optional().catch(undefined),
    'disable-model-invocation': z.boolean().optional().catch(undefined),
    'user-invocable': z.boolean().optional().catch(undefined),
    'argument-hint': z.unknown().optional(),
  }),
);

async function readSkill({ name: folderName, path, text, origin }: Customization): Promise<Skill | string> {
  const read = await readFrontmatter(text);
  if (read.kind === 'broken') return t('The skill {0} {1}. It is ignored.', path, read.problem);
  const known = described().parse(read.data);
  const { name = folderName, description = firstParagraph(read.body) } = known;
  if (description === '')
    return t('The skill {0} has no description in its frontmatter and no text. It is ignored.', path);
  const own = plainLine(name, 100).replace(/[:\\/<>*?"|\s]+/g, '-');
  // A skill of an extension says whose it is: the user did not choose its name.
  const unique = origin.kind === 'extension' ? `${origin.name}:${own}` : own;
  const folder = dirname(path);
  const hint = plainLine(hintOf(known['argument-hint']), hintLength);
  return {
    name: unique,
    folder,
    source: origin.kind,
    body: read.body.replaceAll('${CLAUDE_SKILL_DIR}', () => folder),
    description: plainLine(description, descriptionLength),
    isForModel: known['disable-model-invocation'] !== true,
    isForUser: known['user-invocable'] !== false,
    hint: hint || undefined,
  };
}
