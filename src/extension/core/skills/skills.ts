/*
 * Skills: instructions for one kind of task. The model knows their names and descriptions, and loads one when it
 * applies.
 */

import { dirname } from 'node:path';
import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { sanitiseLine } from '../../base/text.ts';
import type { Customization } from '../customizations/files/customization.ts';
import {
  firstParagraph,
  formatArgumentHint,
  hintLength,
  readFrontmatter,
} from '../customizations/files/frontmatter.ts';
import type { ParsedEntries } from '../customizations/files/parsedCustomizations.ts';

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** The text after the frontmatter. */
  readonly body: string;
  /** Absolute folder of the files that it refers to. */
  readonly folder: string;
  readonly source: 'person' | 'workspace' | 'extension';
  /** The model may load it; otherwise only the user can. */
  readonly isForModel: boolean;
  /** The user may load it by name. */
  readonly isForUser: boolean;
  /** Hint for the argument after the name. */
  readonly hint?: string;
}

/** If two share a name, the later one wins. Never rejects. */
export async function readSkills(items: readonly Customization[]): Promise<ParsedEntries<Skill>> {
  const entries = new Map<string, Skill>();
  const problems: string[] = [];
  for (const item of items) {
    const read = await readSkill(item);
    if (typeof read === 'string') problems.push(read);
    else entries.set(read.name, read);
  }
  return { entries, problems };
}

/** Returns the name in a skill's frontmatter. Never rejects. */
export async function ownNameOf(item: Customization): Promise<string | undefined> {
  const read = await readSkill(item);
  return typeof read === 'string' ? undefined : read.name;
}

const descriptionLength = 500;

/** A value of the wrong type counts as absent. */
const described = lazySchema(() =>
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
  const own = sanitiseLine(name, 100).replace(/[:\\/<>*?"|\s]+/g, '-');
  // A skill of an extension has a prefix, since the user did not choose its name.
  const unique = origin.kind === 'extension' ? `${origin.name}:${own}` : own;
  const folder = dirname(path);
  const hint = sanitiseLine(formatArgumentHint(known['argument-hint']), hintLength);
  return {
    name: unique,
    folder,
    source: origin.kind,
    body: read.body.replaceAll('${CLAUDE_SKILL_DIR}', () => folder),
    description: sanitiseLine(description, descriptionLength),
    isForModel: known['disable-model-invocation'] !== true,
    isForUser: known['user-invocable'] !== false,
    hint: hint || undefined,
  };
}
