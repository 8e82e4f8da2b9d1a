import { t } from '../../../../protocol/language.ts';
import { type CommandPart, joinTexts, type ParsedTemplate, type TemplatePart } from './template.ts';

/** The placeholder for all arguments. */
const all = '{{args}}';

/**
 * Parses the dialect of TOML commands: `{{args}}`, `@{path}` and `!{command}`. Nested braces are balanced and cannot be
 * escaped. Text inside `@{…}` and `!{…}` is not parsed again, except for a command's arguments.
 */
export function parseBraceTemplate(prompt: string): ParsedTemplate {
  const text = prompt.replace(/\r\n?/g, '\n');
  const pieces: TemplatePart[] = [];
  let at = 0;
  for (;;) {
    // `Now!{{args}}` ends a sentence and starts no command.
    const opening = /\{\{args\}\}|[@!]\{(?!\{args\}\})/g;
    opening.lastIndex = at;
    const found = opening.exec(text);
    if (!found) break;
    pieces.push({ kind: 'text', text: text.slice(at, found.index) });
    at = opening.lastIndex;
    if (found[0] === all) {
      pieces.push({ kind: 'argument', which: 'all' });
      continue;
    }
    const end = findClosing(text, at);
    if (end === undefined) return { kind: 'broken', problem: describeUnclosed(text, found.index) };
    pieces.push(makePiece(found[0], text.slice(at, end), text.slice(found.index, end + 1)));
    at = end + 1;
  }
  pieces.push({ kind: 'text', text: text.slice(at) });
  return { kind: 'template', template: { pieces: joinTexts(pieces), named: [] } };
}

function makePiece(opening: string, inner: string, raw: string): TemplatePart {
  if (opening === '@{') return { kind: 'file', path: inner.trim(), raw };
  const words = inner
    .trim()
    .split(/(\{\{args\}\})/)
    .map(
      (part): CommandPart =>
        part === all ? { kind: 'argument', which: 'all' } : { kind: 'text', text: part },
    );
  return { kind: 'command', words: joinTexts(words) };
}

/** Index of the closing brace for the one before `from`. */
function findClosing(text: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at;
  }
  return undefined;
}

function describeUnclosed(text: string, at: number): string {
  const line = text.slice(0, at).split('\n').length;
  return t('has a {0} that is not closed (line {1} of its prompt)', text.slice(at, at + 2), line);
}
