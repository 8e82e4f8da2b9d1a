import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { oneLine } from '../../base/text.ts';
import { type CallContext, defineTool, type PrepareResult, ToolFailure } from '../../core/tool.ts';
import type { CodeAction, CodeRange } from '../../platform/languages.ts';
import type { FileProblem } from '../../platform/workbench.ts';
import {
  convertLanguageErrors,
  requireLanguages,
  resolveReadable,
  type SymbolPorts,
} from './findDeclarations.ts';
import { describeUnknownProblems, type ProblemPorts } from './getProblems.ts';
import { locateSymbol } from './locateSymbol.ts';
import {
  type FileChangePlans,
  planChanges,
  prepareChanges,
  refuseProtected,
  writeChanges,
} from './manyFiles.ts';

export type ActionPorts = SymbolPorts & ProblemPorts;

/** Titles in one answer. */
const limit = 40;

const input = lazySchema(() =>
  z.object({
    file_path: z.string(),
    problem: z.string().optional().describe('Its line or text'),
    name: z.string().optional().describe('Symbol'),
    title: z.string().optional().describe('Absent: lists titles'),
  }),
);
type Input = z.infer<ReturnType<typeof input>>;

export function applyCodeActionTool(ports: ActionPorts) {
  return defineTool({
    name: 'apply_code_action',
    description: 'Quick fix or refactoring at a problem or symbol; with neither: organize imports, format.',
    input,
    effect: 'edit',
    isOffered: () => ports.languages?.isAvailable ?? false,
    title: ({ title, file_path }: Input) =>
      title === undefined ? t('Code actions in {0}', file_path) : t('{0} in {1}', title, file_path),
    prepare: (asked, call) => convertLanguageErrors(prepare(ports, asked, call)),
    run: ({ title = '' }, plan, call) => {
      const words = { done: `Applied “${title}”`, state: `“${title}” is applied`, verb: 'applied' };
      return writeChanges(ports, words, plan, call);
    },
  });
}

async function prepare(
  ports: ActionPorts,
  asked: Input,
  { signal }: CallContext,
): Promise<PrepareResult<FileChangePlans>> {
  await refuseProtected(ports, asked.file_path, 'Nothing is offered for it.');
  const path = await resolveReadable(ports, asked.file_path);
  // Servers offer fixes for problems that they know.
  const isKnown = (await ports.diagnostics.settle(path, signal)) !== undefined;
  const offers = await findOffers(ports, path, isKnown, asked, signal);
  signal.throwIfAborted();
  if (offers.length === 0) {
    const doubt = isKnown ? '' : ` ${describeUnknownProblems(asked.file_path)}`;
    throw new ToolFailure(`The language server offers nothing here.${doubt}`, () => t('No actions'));
  }
  const action = choose(offers, asked);
  if (action.change.kind === 'refused')
    throw new ToolFailure(`“${action.title}” cannot be applied: ${action.change.reason}`, () =>
      t('Not applicable'),
    );
  const plan = await planChanges(ports, action.change.files);
  if (plan.length === 0)
    throw new ToolFailure(`“${action.title}” changes nothing here.`, () => t('No change'));
  return prepareChanges(plan);
}

async function findOffers(
  ports: ActionPorts,
  path: string,
  isKnown: boolean,
  { name, problem, file_path }: Input,
  signal: AbortSignal,
): Promise<readonly CodeAction[]> {
  const servers = requireLanguages(ports);
  if (name !== undefined) {
    const at = await locateSymbol(ports, name, file_path, signal);
    return await servers.offer(at, signal);
  }
  if (problem === undefined) return await servers.offer({ path }, signal);
  const lines = /^\d+$/.test(problem.trim())
    ? [Math.max(1, Number(problem))]
    : findLines(listProblems(ports, path, isKnown, file_path), problem);
  const found: CodeAction[] = [];
  for (const first of lines) found.push(...(await servers.offer({ path, first, last: first }, signal)));
  return found;
}

function listProblems(
  { workbench }: ActionPorts,
  path: string,
  isKnown: boolean,
  shown: string,
): readonly FileProblem[] {
  // Problems of an older text may be on other lines now.
  if (!isKnown)
    throw new ToolFailure(`${describeUnknownProblems(shown)} Give a line instead of words.`, () =>
      t('Problems not known'),
    );
  return (workbench.listProblems() ?? []).filter(each => each.path === path);
}

/** Returns the lines of the matching problems. */
function findLines(known: readonly FileProblem[], problem: string): readonly CodeRange['first'][] {
  const words = problem.toLowerCase();
  const meant = known.filter(({ message }) => message.toLowerCase().includes(words));
  if (meant.length === 0) {
    const lines = known.slice(0, limit).map(({ line, message }) => `${line}: ${oneLine(message, 200)}`);
    throw new ToolFailure(
      `No problem of this file reads like that. Known:\n${lines.join('\n') || 'none'}`,
      () => t('No such problem'),
    );
  }
  return [...new Set(meant.map(({ line }) => line))];
}

function choose(offers: readonly CodeAction[], { title }: Input): CodeAction {
  const same = (offer: CodeAction) => offer.title.toLowerCase() === title?.toLowerCase();
  const meant = offers.find(offer => same(offer) && offer.change.kind === 'edits') ?? offers.find(same);
  if (meant) return meant;
  const lines = [...new Set(offers.map(describe))];
  const shown = lines.slice(0, limit);
  if (lines.length > limit) shown.push(`… and ${lines.length - limit} more`);
  const lead =
    title === undefined ? 'Nothing is changed yet. Choose a title' : `“${title}” is not offered. Titles`;
  throw new ToolFailure(`${lead}:\n${shown.join('\n')}`, () => t('{0} offered', lines.length));
}

function describe({ title, change }: CodeAction): string {
  return change.kind === 'edits' ? title : `${title} (not applicable: ${change.reason})`;
}
