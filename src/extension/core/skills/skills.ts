/* Skills: instructions for one kind of work. The model knows their names and descriptions, and loads one when it fits. */

import { dirname } from 'node:path';
import * as z from 'zod';
import { plainLine } from '../../base/text.ts';
import type { Parsed } from '../customizations/book.ts';
import type { Customization } from '../customizations/customization.ts';
import { readFrontmatter } from '../customizations/frontmatter.ts';

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** The text below the frontmatter. */
  readonly body: string;
  /** Its folder, absolute: files that it speaks of lie there. */
  readonly folder: string;
  readonly source: 'person' | 'workspace' | 'extension';
}

/** Of two with one name the later one of the list counts. Never rejects. */
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

const descriptionLength = 500;

const described = z.object({
  name: z.string().trim().min(1).max(100).optional(),
  description: z.string().trim().min(1),
});

async function readSkill({ name: folderName, path, text, origin }: Customization): Promise<Skill | string> {
  const read = await readFrontmatter(text);
  if (read.kind === 'broken') return `The skill ${path} ${read.problem}, so it is not used.`;
  const known = described.safeParse(read.data);
  if (!known.success)
    return `The skill ${path} needs a description in its frontmatter, so that the model knows when to use it.`;
  const { name = folderName, description } = known.data;
  const own = plainLine(name, 100).replace(/[:\\/<>*?"|\s]+/g, '-');
  // A skill of an extension says whose it is: the person did not choose its name.
  const unique = origin.kind === 'extension' ? `${origin.name}:${own}` : own;
  return {
    ...{ name: unique, body: read.body, folder: dirname(path), source: origin.kind },
    description: plainLine(description, descriptionLength),
  };
}
