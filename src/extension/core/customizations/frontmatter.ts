/* Markdown that begins with a block of YAML between lines of three hyphens, as agents, skills and commands do. */

import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { oneLine } from '../../base/text.ts';

export type Frontmatter =
  | { readonly kind: 'read'; readonly data: Readonly<Record<string, unknown>>; readonly body: string }
  /** `problem`: the end of a sentence about the file, for example `has no frontmatter`. */
  | { readonly kind: 'broken'; readonly problem: string };

/** A text without frontmatter has empty data. Never rejects. */
export async function readFrontmatter(text: string): Promise<Frontmatter> {
  const lines = text.replace(/\r\n?/g, '\n');
  const opening = /^---[ \t]*\n/.exec(lines);
  if (!opening) return { kind: 'read', data: {}, body: lines };
  const rest = lines.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\n|$)/m.exec(rest);
  if (!closing)
    return { kind: 'broken', problem: 'has frontmatter that is not closed by a line of three hyphens' };
  const { parseYaml } = await import('./parseYaml.ts');
  try {
    const data = parseYaml(rest.slice(0, closing.index)) ?? {};
    if (!isRecord(data)) return { kind: 'broken', problem: 'has frontmatter that names no keys' };
    return { kind: 'read', data, body: rest.slice(closing.index + closing[0].length).replace(/^\n+/, '') };
  } catch (error) {
    const [what = ''] = messageOf(error).split('\n');
    return { kind: 'broken', problem: `has frontmatter that is not valid YAML (${oneLine(what, 160)})` };
  }
}
