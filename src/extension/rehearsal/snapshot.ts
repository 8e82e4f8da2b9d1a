/* The rehearsal's answer to a request for a summary, derived from what happened. */

import { oneLine } from '../base/text.ts';
import type { FinishedCall, RehearsedConversation } from './conversation.ts';
import { parseTestReport } from './testReport.ts';

/** Detects a summary request: it declares no tools, and its system prompt shows the required element. */
export function isSummaryRequest({ system, tools }: RehearsedConversation): boolean {
  return tools.size === 0 && system.includes('<state_snapshot>');
}

export function writeStateSnapshot({ opening, earlier }: RehearsedConversation): string {
  const summaries = argumentsOf(earlier, 'create_new_topic', 'summary');
  const read = argumentsOf(earlier, 'read_file', 'file_path');
  const changed = [
    ...argumentsOf(earlier, 'replace', 'file_path'),
    ...argumentsOf(earlier, 'write_file', 'file_path'),
  ];
  const newest = earlier
    .slice(-5)
    .map(({ name, ok, text }) => `${name}: ${ok ? oneLine(text, 80) : 'failed'}`);
  const sections = [
    element('overall_goal', [opening]),
    element('active_constraints', []),
    element('key_knowledge', summaries),
    element(
      'artifact_trail',
      changed.map(path => `Changed ${path}`),
    ),
    element('file_system_state', read.length === 0 ? [] : [`Read ${read.join(', ')}`]),
    element('recent_actions', newest),
    element('task_state', [stateOf(earlier)]),
  ];
  return `<scratchpad>The record is made from the calls and their results.</scratchpad>\n<state_snapshot>\n${sections.join('\n')}\n</state_snapshot>`;
}

function stateOf(earlier: readonly FinishedCall[]): string {
  const run = earlier.findLast(({ name }) => name === 'run_shell_command');
  const report = run && parseTestReport(run.text);
  return report
    ? `The tests ran last: ${report.passed} passed, ${report.failed} failed.`
    : 'No tests ran yet.';
}

/** Returns the distinct values of an argument in successful calls. */
function argumentsOf(earlier: readonly FinishedCall[], tool: string, argument: string): readonly string[] {
  const values = earlier.flatMap(({ name, ok, args }) => {
    const value = args[argument];
    return ok && name === tool && typeof value === 'string' ? [oneLine(value, 200)] : [];
  });
  return [...new Set(values)];
}

/** Escapes quoted text so that it cannot close the element. */
function element(name: string, lines: readonly string[]): string {
  const body = lines.map(line => oneLine(line, 300).replaceAll('<', '‹')).filter(Boolean);
  return `<${name}>\n${body.length > 0 ? body.join('\n') : 'Nothing.'}\n</${name}>`;
}
