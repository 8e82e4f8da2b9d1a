import * as z from 'zod';
import { oneLine, plural } from '../base/text.ts';
import { defineTool, type Prepared, type Proposal, type Tool, ToolFailure } from '../core/tool.ts';
import { type FileSystem, plainText } from '../platform/fileSystem.ts';
import { fileDiff } from '../review/fileDiff.ts';
import { reported } from './fileFailure.ts';

export const memoryHeading = '## Remembered by Folio';
const factLimit = 1_000;

export interface MemoryPorts {
  readonly files: Pick<FileSystem, 'stat' | 'readText' | 'writeText'>;
  /** Absolute path of the person's own memory file. */
  readonly memoryFile: () => string;
}

const input = z.object({ fact: z.string().describe('One sentence that stands alone') });
type Input = z.infer<typeof input>;

interface Plan {
  readonly proposal: Proposal;
}

export function saveMemory(ports: MemoryPorts): Tool<Input, Plan> {
  return defineTool({
    name: 'save_memory',
    description:
      'Keeps a fact about the person for all later sessions in every project. Only lasting preferences or what they ask to remember.',
    input,
    effect: 'edit',
    title: ({ fact }) => `Remember: ${oneLine(fact)}`,
    prepare: ({ fact }) => prepareFact(ports, fact),
    run: async (_input, plan, call) => {
      const proposal = call.proposal ?? plan.proposal;
      const { path, before, after, format } = proposal;
      await reported(path, ports.files.writeText(path, after, format, before));
      const edited =
        proposal.agentText === undefined ? '' : ' The person changed the text before accepting it.';
      const diff = fileDiff(path, before, after);
      return {
        text: `Kept for later sessions in ${path}.${edited}`,
        display: { summary: `${plural(diff.added, 'line')} added`, detail: { kind: 'diff', diff } },
      };
    },
  });
}

async function prepareFact(ports: MemoryPorts, raw: string): Promise<Prepared<Plan>> {
  const fact = sanitiseFact(raw);
  if (fact === '') throw new ToolFailure('The fact is empty.');
  if (fact.length > factLimit) {
    throw new ToolFailure(
      `The fact has ${fact.length} characters, at most ${factLimit} are kept. Say it shorter.`,
      'Too long',
    );
  }
  const path = ports.memoryFile();
  const isThere = (await reported(path, ports.files.stat(path))) !== undefined;
  const file = isThere ? await reported(path, ports.files.readText(path)) : undefined;
  const before = file?.text ?? null;
  const after = addFact(before ?? '', fact);
  if (after === before) throw new ToolFailure('This fact is already kept.', 'Already kept');
  const proposal: Proposal = { path, before, after, format: file?.format ?? plainText };
  return {
    plan: { proposal },
    subject: { kind: 'edit', diff: fileDiff(path, before, after) },
    target: { kind: 'memory', path },
    proposal,
  };
}

/**
 * The file becomes part of every later prompt, so a fact must stay one item of the list: no line breaks, no marks
 * that open headings, fences or comments, no `@path` that would draw in another file.
 */
export function sanitiseFact(fact: string): string {
  return fact
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^(?:[-*+#>\s]|\d+[.)]\s)+/, '')
    .replace(/`{3,}|~{3,}/g, '')
    .replace(/<(?=[!/a-z])/gi, '‹')
    .replace(/(^|[^\w\\])@(?=[./~\w])/g, '$1\\@')
    .trim();
}

/** The same text when the fact already stands under the heading; every other line keeps its bytes. */
export function addFact(text: string, fact: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const item = `- ${fact}`;
  const lines = text.split(/(?<=\n)/);
  const heading = lines.findIndex(line => line.trimEnd() === memoryHeading);
  if (heading < 0) {
    const start = text.trim() === '' ? '' : text.trimEnd() + eol + eol;
    return `${start}${memoryHeading}${eol}${eol}${item}${eol}`;
  }
  const next = lines.findIndex((line, index) => index > heading && /^#{1,2} /.test(line));
  const section = lines.slice(heading, next < 0 ? lines.length : next);
  if (section.some(line => line.trimEnd() === item)) return text;
  const last = heading + section.findLastIndex(line => line.trim() !== '');
  const above = lines.slice(0, last + 1).join('');
  const separator = (above.endsWith('\n') ? '' : eol) + (last === heading ? eol : '');
  return above + separator + item + eol + lines.slice(last + 1).join('');
}
