import { sep } from 'node:path';
import * as z from 'zod';
import { plural, t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { oneLine } from '../../base/text.ts';
import {
  type CallContext,
  defineReadTool,
  type Tool,
  ToolFailure,
  type ToolResult,
} from '../../core/tool.ts';
import type { DiagnosticReader } from '../../platform/diagnostics.ts';
import type { FileProblem, Workbench } from '../../platform/workbench.ts';
import { shortPath } from '../files/shortPath.ts';
import type { SymbolPorts } from './findDeclarations.ts';

export interface ProblemPorts extends Pick<SymbolPorts, 'files' | 'paths' | 'languages'> {
  readonly workbench: Pick<Workbench, 'listProblems'>;
  readonly diagnostics: Pick<DiagnosticReader, 'settle' | 'settleAll'>;
}

/** Problems in one answer. */
const limit = 100;

const input = lazySchema(() =>
  z.object({ path: z.string().optional().describe('File or folder. Absent: the workspace') }),
);
type Input = z.infer<ReturnType<typeof input>>;

export function getProblemsTool(ports: ProblemPorts): Tool<Input, undefined> {
  return defineReadTool({
    name: 'get_problems',
    description: 'Errors and warnings that language servers report now.',
    input,
    isOffered: () => (ports.languages?.isAvailable ?? false) && ports.workbench.listProblems() !== undefined,
    title: ({ path }) => (path === undefined ? t('Problems') : t('Problems in {0}', shortPath(path))),
    target: ({ path = '.' }) => ({ kind: 'paths', paths: [path], access: 'read' }),
    run: ({ path }, call) => answer(ports, path, call),
  });
}

async function answer(
  ports: ProblemPorts,
  asked: string | undefined,
  call: CallContext,
): Promise<ToolResult> {
  const place = asked === undefined ? undefined : await ports.paths.resolve(asked, 'read');
  const kind = place === undefined ? undefined : (await ports.files.stat(place))?.kind;
  if (place !== undefined && kind === undefined)
    throw new ToolFailure(`There is no ${asked}.`, () => t('Not found'));
  // Servers check only open files, so the requested file is opened for them in the background.
  const isKnown =
    kind === 'file'
      ? (await ports.diagnostics.settle(place!, call.signal)) !== undefined
      : await ports.diagnostics.settleAll(call.signal);
  const within = ({ path }: FileProblem) =>
    place === undefined || path === place || path.startsWith(place.endsWith(sep) ? place : place + sep);
  const found = (ports.workbench.listProblems() ?? []).filter(within);
  const readable = new Set(await ports.paths.unprotected([...new Set(found.map(({ path }) => path))]));
  const reported = found.filter(({ path }) => readable.has(path));
  // Problems of an older text say nothing about the current one.
  if (!isKnown && kind === 'file')
    return { text: describeUnknownProblems(asked!), display: { summary: () => t('Unknown') } };
  const doubt = isKnown ? '' : `\n${stillAtWork}`;
  if (reported.length === 0) return nothing(asked, kind, doubt);
  const lines = await Promise.all(reported.slice(0, limit).map(problem => describe(problem, ports)));
  if (reported.length > lines.length)
    lines.push(`… and ${reported.length - lines.length} more: give a path.`);
  return {
    text: `${lines.join('\n')}${doubt}`,
    display: { summary: () => plural(reported.length, 'one: {0} problem | other: {0} problems') },
  };
}

const stillAtWork =
  'Language servers are still at work, so some of this may be about older texts. Name a file, or ask again.';

export function describeUnknownProblems(shown: string): string {
  return `No server has spoken about ${shown} as it stands now, so its problems are not known.`;
}

function nothing(asked: string | undefined, kind: string | undefined, doubt: string): ToolResult {
  const where = asked === undefined ? 'the workspace' : asked;
  const reach =
    kind === 'file'
      ? ''
      : ' Most servers look only at files that are open; name a file to have it looked at.';
  return {
    text: `No problems are reported in ${where}.${reach}${doubt}`,
    display: { summary: () => t('No problems') },
  };
}

async function describe(
  { path, line, severity, message, source }: FileProblem,
  { paths }: ProblemPorts,
): Promise<string> {
  const from = source === undefined ? '' : ` (${oneLine(source, 60)})`;
  return `${await paths.show(path)}:${line}: ${severity}: ${oneLine(message, 500)}${from}`;
}
