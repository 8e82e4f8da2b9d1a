/* The tool that runs a script, in which the model calls many tools of servers at once. */

import * as z from 'zod';
import { plural, t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { messageOf } from '../../base/errors.ts';
import { escapeInvisibleText } from '../../base/hiddenText.ts';
import { oneLine } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';
import { type AnyTool, defineReadTool, type NestedTask, ToolFailure, type ToolResult } from '../tool.ts';
import { type ScriptEnd, type ScriptPorts, ScriptRun } from './scriptRun.ts';
import { describeIndex, type ScriptFunction } from './signatures.ts';

const input = lazySchema(() =>
  z.object({
    script: z.string().trim().min(1),
    purpose: z.string().optional().describe('A few words for the user'),
  }),
);

/** @param functions at least one, and fixed, since the description lists them */
export function runToolScript(functions: readonly ScriptFunction[], ports: ScriptPorts): AnyTool {
  return defineReadTool({
    name: 'run_tool_script',
    description: describe(functions),
    input,
    title: ({ purpose, script }) =>
      purpose
        ? t('Script: {0}', oneLine(escapeInvisibleText(purpose), 150))
        : t('Script: {0}', firstWords(script)),
    run: async ({ script }, { signal }, surface) => {
      const tools = new Map(functions.map(({ tool }) => [tool.name, tool]));
      const work = await surface?.openWork?.({ name: 'script', text: script, tools });
      if (!work) throw new ToolFailure(() => t('No script can run here.'));
      const end = await run(script, functions, work, ports);
      signal.throwIfAborted();
      if (work.isStopped) throw failureOf(end, 'The user stopped the script.', t('You stopped it.'));
      return toResult(end);
    },
  });
}

function describe(functions: readonly ScriptFunction[]): string {
  return [
    'Runs the body of an async JavaScript function that calls tools of MCP servers and returns only what you need: combine, filter and repeat calls in one script, with Promise.all for those that do not depend on each other. Read the signatures with find_tools first.',
    'const open = await servers.NAME.TOOL({ … }); return open.length',
    'A call resolves to the parsed JSON of the result, else to its text, and throws where it fails or is denied. print(x) adds to the result. There are no files, no network and no imports.',
    `Servers and their tools:\n${describeIndex(functions)}`,
  ].join('\n');
}

function firstWords(script: string): string {
  return oneLine(escapeInvisibleText(script), 100);
}

async function run(
  script: string,
  functions: readonly ScriptFunction[],
  work: NestedTask,
  ports: ScriptPorts,
): Promise<ScriptEnd> {
  try {
    return await new ScriptRun(functions, work, ports).run(script);
  } catch (error) {
    if (work.signal.aborted) throw work.signal.reason;
    throw new ToolFailure(() => t('The script did not run: {0}', messageOf(error)));
  }
}

function toResult(end: ScriptEnd): ToolResult {
  const { kind, text, line, say, blobs, calls } = end;
  if (kind === 'ended') {
    const why = say?.() ?? '';
    throw failureOf(end, `The script was ended. ${why}`, why);
  }
  if (kind === 'threw') {
    const where = line === undefined ? 'The script threw:' : `The script threw in line ${line}:`;
    throw failureOf(end, where, oneLine(text, 200));
  }
  const said = saidBy(end);
  const nothing = 'The script returned nothing and printed nothing: end it with `return …`.';
  return {
    text: `${said === '' ? nothing : wrapUntrusted('untrusted_content', said)}${describeCalls(end)}`,
    blobs: blobs.length > 0 ? blobs : undefined,
    display: {
      summary: () => plural(calls, 'one: {0} call | other: {0} calls'),
      detail: { kind: 'text', text: said },
    },
  };
}

function saidBy({ printed, text }: ScriptEnd): string {
  return [printed.trimEnd(), text].filter(each => each !== '').join('\n');
}

/** Output and errors may contain untrusted text of servers. */
function failureOf(end: ScriptEnd, why: string, summary: string): ToolFailure {
  const said = saidBy(end);
  const text = said === '' ? why : `${why}\n${wrapUntrusted('untrusted_content', said)}`;
  return new ToolFailure(`${text}${describeCalls(end)}`, () => summary);
}

function describeCalls({ calls, failed, left }: ScriptEnd): string {
  const counts = [`${calls} ${calls === 1 ? 'call' : 'calls'}`];
  if (failed > 0) counts.push(`${failed} failed`);
  if (left > 0) counts.push(`${left} not awaited`);
  return `\n[${counts.join(', ')}]`;
}
