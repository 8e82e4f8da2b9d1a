import { t } from '../../../../protocol/language.ts';
import { parseMentions } from '../../mentions/parseMentions.ts';
import {
  type CommandPart,
  joinTexts,
  type ParsedTemplate,
  type TemplateAttachment,
  type TemplatePart,
} from './template.ts';

const command = /(?<![\p{L}\p{N}`!\\])!`/u;
/** Excludes prices such as `$10` and `$2.50`. */
const argument = /\$(?:ARGUMENTS\b|[1-9](?![.,]?\d))/g;

/** Parses the dialect of Markdown commands: `$ARGUMENTS`, `$1` to `$9`, `` !`command` `` and `@path`. */
export function parseMarkdownTemplate(body: string): ParsedTemplate {
  const pieces: TemplatePart[] = [];
  let rest = body.replace(/\r\n?/g, '\n').trim();
  let line = 1;
  for (;;) {
    const found = command.exec(rest);
    if (!found) break;
    const before = rest.slice(0, found.index);
    const inner = /^[^`\n]*(?=`)/.exec(rest.slice(found.index + 2))?.[0];
    line += before.split('\n').length - 1;
    if (inner === undefined)
      return { kind: 'broken', problem: t('has a !` that is not closed (line {0} of its text)', line) };
    pieces.push(...splitArguments(before), { kind: 'command', words: splitCommand(inner.trim()) });
    rest = rest.slice(found.index + inner.length + 3);
  }
  pieces.push(...splitArguments(rest));
  const joined = joinTexts(pieces);
  return { kind: 'template', template: { pieces: joined, named: namedFiles(joined) } };
}

function splitArguments(text: string): readonly CommandPart[] {
  const pieces: CommandPart[] = [];
  let at = 0;
  for (const { 0: mark, index } of text.matchAll(argument)) {
    pieces.push({ kind: 'text', text: text.slice(at, index) });
    pieces.push({ kind: 'argument', which: mark === '$ARGUMENTS' ? 'all' : Number(mark[1]) });
    at = index + mark.length;
  }
  return [...pieces, { kind: 'text', text: text.slice(at) }];
}

/** Inside single quotes `$1` is not an argument: `awk '{print $1}'` means a column. */
function splitCommand(line: string): readonly CommandPart[] {
  const parts = line.split(/('[^']*')/);
  const pieces = parts.flatMap((part, index): readonly CommandPart[] =>
    index % 2 === 1 && !part.includes('$ARGUMENTS') ? [{ kind: 'text', text: part }] : splitArguments(part),
  );
  return joinTexts(pieces);
}

/** Returns files named in the template's own text. Files named in arguments are read as in any prompt. */
function namedFiles(pieces: readonly TemplatePart[]): readonly TemplateAttachment[] {
  const texts = pieces.map(piece => (piece.kind === 'text' ? piece.text : ' ')).join('\0');
  const paths = parseMentions(texts).flatMap((thing): readonly TemplateAttachment[] =>
    thing.kind === 'path'
      ? [
          {
            kind: 'path',
            readings: thing.readings.map(({ path }) => path),
            deliberate: thing.deliberate,
          },
        ]
      : [],
  );
  const given = pieces.flatMap((piece, index): readonly TemplateAttachment[] => {
    const before = pieces[index - 1];
    const isNamed = before?.kind === 'text' && /(?:^|[\s([{"'])@$/.test(before.text);
    return piece.kind === 'argument' && isNamed ? [{ kind: 'argument', which: piece.which }] : [];
  });
  return [...paths, ...given];
}
