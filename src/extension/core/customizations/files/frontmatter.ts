/* Parses Markdown with YAML frontmatter between lines of three hyphens, as in agents, skills and commands. */

import { t } from '../../../../protocol/language.ts';
import { messageOf } from '../../../base/errors.ts';
import { isRecord } from '../../../base/record.ts';
import { oneLine } from '../../../base/text.ts';

type Frontmatter =
  | { readonly kind: 'read'; readonly data: Readonly<Record<string, unknown>>; readonly body: string }
  /** `problem`: the end of a sentence about the file, such as `has no frontmatter`. */
  | { readonly kind: 'broken'; readonly problem: string };

/** Without frontmatter the data is empty. Never rejects. */
export async function readFrontmatter(text: string): Promise<Frontmatter> {
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const opening = /^\n*---[ \t]*\n/.exec(lines);
  if (!opening) return { kind: 'read', data: {}, body: lines };
  const rest = lines.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\n|$)/m.exec(rest);
  if (!closing)
    return { kind: 'broken', problem: t('has frontmatter that is not closed by a line of three hyphens') };
  const body = rest.slice(closing.index + closing[0].length).replace(/^\n+/, '');
  const block = rest.slice(0, closing.index);
  const { parseYaml } = await import('./parseYaml.ts');
  // Yields between files, since there may be hundreds with long blocks.
  await new Promise<void>(resolve => setImmediate(resolve));
  try {
    const data = parseYaml(block) ?? {};
    if (!isRecord(data)) return { kind: 'broken', problem: t('has frontmatter without keys') };
    return { kind: 'read', data, body };
  } catch (error) {
    const data = readLoosely(block, parseYaml);
    if (data) return { kind: 'read', data, body };
    const [what = ''] = messageOf(error).split('\n');
    return { kind: 'broken', problem: t('has frontmatter that is not valid YAML ({0})', oneLine(what, 160)) };
  }
}

/** Descriptions may quote conversations, whose speakers look like keys. */
const keyLine = /^(?!(?:user|assistant|system|human)[ \t]*:)([a-z_][\w-]*)[ \t]*:(?=\s|$)/;

/**
 * Parses invalid YAML that other programs accept, mostly descriptions with unquoted colons. It goes key by key: valid
 * YAML is parsed, prose is taken literally, and anything else rejects the whole block, so that half a list of tools
 * never passes for a complete one.
 */
function readLoosely(
  block: string,
  parseYaml: (text: string) => unknown,
): Readonly<Record<string, unknown>> | undefined {
  const data: Record<string, unknown> = Object.create(null);
  for (const entry of splitKeys(block)) {
    const key = keyLine.exec(entry)![1]!;
    try {
      const parsed = parseYaml(entry);
      data[key] = isRecord(parsed) ? parsed[key] : undefined;
    } catch {
      // Not valid YAML, so it may be prose.
      const prose = proseOf(key, entry.slice(entry.indexOf(':') + 1).trim());
      if (prose === undefined) return undefined;
      data[key] = prose;
    }
  }
  return Object.keys(data).length > 0 ? { ...data } : undefined;
}

/** Splits the block into entries, each with all its lines. */
function splitKeys(block: string): readonly string[] {
  const entries: string[] = [];
  for (const line of block.split('\n')) {
    if (keyLine.test(line)) entries.push(line);
    else if (entries.length > 0) entries.push(`${entries.pop()}\n${line}`);
  }
  return entries;
}

const proseKeys: ReadonlySet<string> = new Set(['description', 'argument-hint']);

/** Returns undefined if the value looks like a YAML structure. */
function proseOf(key: string, value: string): string | undefined {
  if (!proseKeys.has(key)) return /^[[{&*!|>%"'-]/.test(value) ? undefined : value;
  const text = value.replace(/^[|>][-+]?\s*\n\s*/, '');
  return /^(["']).+\1$/s.test(text) ? text.slice(1, -1) : text;
}

/** Describes a text without description by its first lines of prose, without Markdown marks. */
export function firstParagraph(body: string): string {
  const lines = body.split('\n').map(line => line.trim());
  const prose = lines.findIndex(line => /^\p{L}/u.test(line));
  if (prose < 0) return (lines.find(line => /\p{L}/u.test(line)) ?? '').replace(/^[#>*\s-]+/, '');
  const end = lines.indexOf('', prose);
  return lines.slice(prose, end < 0 ? undefined : end).join(' ');
}

export const hintLength = 60;

/** Formats the hint for arguments. Authors write `[file]` literally, although YAML parses it as a list. */
export function formatArgumentHint(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? `[${value.map(String).join(', ')}]` : '';
}
