/* Markdown that begins with a block of YAML between lines of three hyphens, as agents, skills and commands do. */

import { t } from '../../../../protocol/language.ts';
import { messageOf } from '../../../base/errors.ts';
import { isRecord } from '../../../base/record.ts';
import { oneLine } from '../../../base/text.ts';

type Frontmatter =
  | { readonly kind: 'read'; readonly data: Readonly<Record<string, unknown>>; readonly body: string }
  /** `problem`: the end of a sentence about the file, for example `has no frontmatter`. */
  | { readonly kind: 'broken'; readonly problem: string };

/** A text without frontmatter has empty data. Never rejects. */
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
  // There may be hundreds of files with long blocks: between two of them others have their turn.
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

/** Descriptions quote conversations, whose speakers stand at the beginning of a line as keys do. */
const keyLine = /^(?!(?:user|assistant|system|human)[ \t]*:)([a-z_][\w-]*)[ \t]*:(?=\s|$)/;

/**
 * Reads frontmatter that other programs accept although it is no YAML, most of all descriptions with unquoted colons.
 * It goes key by key: a value that is YAML automatically is read as such, prose is taken as it stands, and anything
 * else makes the whole unusable, since half a list of tools must not pass for a whole one.
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
      // Not YAML automatically either, so it counts as it stands.
      const prose = proseOf(key, entry.slice(entry.indexOf(':') + 1).trim());
      if (prose === undefined) return undefined;
      data[key] = prose;
    }
  }
  return Object.keys(data).length > 0 ? { ...data } : undefined;
}

/** Each with the lines that belong to it. */
function splitKeys(block: string): readonly string[] {
  const entries: string[] = [];
  for (const line of block.split('\n')) {
    if (keyLine.test(line)) entries.push(line);
    else if (entries.length > 0) entries.push(`${entries.pop()}\n${line}`);
  }
  return entries;
}

/** Keys whose values nobody but a reader goes by. */
const proseKeys: ReadonlySet<string> = new Set(['description', 'argument-hint']);

/** Undefined: it begins as a structure of YAML does. */
function proseOf(key: string, value: string): string | undefined {
  if (!proseKeys.has(key)) return /^[[{&*!|>%"'-]/.test(value) ? undefined : value;
  const text = value.replace(/^[|>][-+]?\s*\n\s*/, '');
  return /^(["']).+\1$/s.test(text) ? text.slice(1, -1) : text;
}

/**
 * Describes a text that has no description of its own: its first lines that say something, without Markdown marks at
 * the beginning.
 */
export function firstParagraph(body: string): string {
  const lines = body.split('\n').map(line => line.trim());
  const prose = lines.findIndex(line => /^\p{L}/u.test(line));
  if (prose < 0) return (lines.find(line => /\p{L}/u.test(line)) ?? '').replace(/^[#>*\s-]+/, '');
  const end = lines.indexOf('', prose);
  return lines.slice(prose, end < 0 ? undefined : end).join(' ');
}

export const hintLength = 60;

/** The hint at the arguments. An author who writes `[file]` means these letters, though to YAML it is a list. */
export function hintOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? `[${value.map(String).join(', ')}]` : '';
}
