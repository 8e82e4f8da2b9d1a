import * as z from 'zod';
import { plural, t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { addFact, maxFactLength, sanitiseFact } from '../base/rememberedFacts.ts';
import { oneLine } from '../base/text.ts';
import { defineTool, type EditProposal, type PrepareResult, type Tool, ToolFailure } from '../core/tool.ts';
import { type FileReader, utf8Format } from '../platform/fileSystem.ts';
import { fileDiff } from '../review/fileDiff.ts';
import { convertFileErrors } from './files/convertFileErrors.ts';

export interface MemoryPorts {
  readonly files: Pick<FileReader, 'stat' | 'readText'>;
  /** Absolute path of the user's own memory file. */
  readonly memoryFile: () => string;
}

const input = lazySchema(() => z.object({ fact: z.string().describe('One sentence that stands alone') }));
type Input = z.infer<ReturnType<typeof input>>;

interface Plan {
  readonly proposal: EditProposal;
}

export function saveMemoryTool(ports: MemoryPorts): Tool<Input, Plan> {
  return defineTool({
    name: 'save_memory',
    description:
      'Keeps a fact about the user for all later sessions in every project. Only lasting preferences or what they ask to remember.',
    input,
    effect: 'edit',
    title: ({ fact }) => t('Remember: {0}', oneLine(fact)),
    prepare: ({ fact }) => prepareFact(ports, fact),
    run: async (_input, plan, call) => {
      const proposal = call.proposal ?? plan.proposal;
      const { path, before, after, format } = proposal;
      await convertFileErrors(path, call.files.writeText(path, after, format, before));
      const edited =
        proposal.agentText === undefined ? '' : ' The user changed the text before accepting it.';
      const diff = fileDiff(path, before, after);
      return {
        text: `Kept for later sessions in ${path}.${edited}`,
        display: {
          summary: () => plural(diff.added, 'one: {0} line added | other: {0} lines added'),
          detail: { kind: 'diff', diff },
        },
      };
    },
  });
}

async function prepareFact(ports: MemoryPorts, raw: string): Promise<PrepareResult<Plan>> {
  const fact = sanitiseFact(raw);
  if (fact === '') throw new ToolFailure(() => t('The fact is empty.'));
  if (fact.length > maxFactLength) {
    throw new ToolFailure(
      `The fact has ${fact.length} characters, at most ${maxFactLength} are kept. Say it shorter.`,
      () => t('Too long'),
    );
  }
  const path = ports.memoryFile();
  const isThere = (await convertFileErrors(path, ports.files.stat(path))) !== undefined;
  const file = isThere ? await convertFileErrors(path, ports.files.readText(path)) : undefined;
  const before = file?.text ?? null;
  const after = addFact(before ?? '', fact);
  if (after === before) throw new ToolFailure('This fact is already kept.', () => t('Already kept'));
  const proposal: EditProposal = { path, before, after, format: file?.format ?? utf8Format };
  return {
    plan: { proposal },
    subject: { kind: 'edit', diff: fileDiff(path, before, after) },
    target: { kind: 'memory', path },
    proposal,
  };
}
