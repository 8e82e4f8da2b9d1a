/* The policy's input for a call, and what rules compare of it. */

import type { Classified } from '../../../protocol/events.ts';
import type { ApprovalMode } from '../../../protocol/intentions.ts';
import type { Effect } from '../../../protocol/values.ts';
import { canonicalJson } from '../../base/canonicalJson.ts';
import { classifyHost } from '../../platform/browser/addresses.ts';
import type { CallTarget } from '../tool.ts';
import type { UndecidedCommand } from './commandClassifier.ts';
import { type CommandRuleInput, maxTextLength } from './commandMatch.ts';
import { argumentsForPatterns, type RuleInput } from './rule.ts';

export interface PolicyQuery {
  readonly tool: string;
  readonly effect: Effect;
  readonly target?: CallTarget;
  /** The call exists to get the user's answer, so it is never allowed without asking. */
  readonly mustAsk?: true;
  /** Final arguments, after changes by hooks. */
  readonly args: unknown;
  readonly mode: ApprovalMode;
  /** Name of the calling subagent; absent: the main agent. */
  readonly agent?: string;
  /** The user runs it from the prompt, so it needs no approval. */
  readonly own?: true;
  /** A small model that may answer for the user. Absent: none. Rejects on abort. */
  readonly hear?: (open: UndecidedCommand) => Promise<Classified | undefined>;
}

/** One command of a line: its text, and what rules compare. */
export interface RuleInputCommand {
  readonly text: string;
  readonly part?: CommandRuleInput;
}

export function makeRuleInput(
  { tool, effect, mode, target, args, agent }: PolicyQuery,
  { interactive }: { readonly interactive: boolean },
  line?: RuleInputCommand,
): RuleInput {
  const given = typeof args === 'object' && args !== null ? args : {};
  const called = target?.kind === 'mcp' ? target : undefined;
  const argsWith = (command: string) => canonicalJson({ ...given, command });
  const json = line ? argsWith(line.text) : canonicalJson(argumentsForPatterns(given));
  return {
    tool,
    mode,
    agent,
    interactive,
    effect: effectOf(effect, target),
    args: json.length > maxTextLength ? undefined : json,
    server: called?.server,
    serverTool: called?.tool,
    hints: called?.hints,
    ofWorkspace: called?.ofWorkspace,
    local: isLocal(target),
    argsWith,
    command: line?.part,
  };
}

function isLocal(target: CallTarget | undefined): boolean {
  if (target?.kind !== 'urls' || target.urls.length === 0) return false;
  return target.urls.every(url => URL.canParse(url) && classifyHost(new URL(url).hostname) === 'local');
}

function effectOf(effect: Effect, target: CallTarget | undefined): Effect {
  // A task leaves this computer, like a request to a URL.
  if (target?.kind === 'agent') return 'fetch';
  // A server of the workspace may lie about being read-only.
  return isWorkspaceServer(target) && effect === 'read' ? 'run' : effect;
}

export function isWorkspaceServer(target: CallTarget | undefined): boolean {
  return target?.kind === 'mcp' && target.ofWorkspace === true;
}
