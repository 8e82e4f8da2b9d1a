/* The question to the policy about a call, and the matter that rules check. */

import type { Classified } from '../../../protocol/events.ts';
import type { ApprovalMode } from '../../../protocol/intentions.ts';
import type { Effect } from '../../../protocol/values.ts';
import { canonicalJson } from '../../base/canonicalJson.ts';
import { classifyHost } from '../../platform/browser/addresses.ts';
import type { CallTarget } from '../tool.ts';
import type { OpenCommand } from './commandClassifier.ts';
import { type CommandMatter, maxTextLength } from './commandMatch.ts';
import { type Matter, shortened } from './rule.ts';

export interface PolicyQuery {
  readonly tool: string;
  readonly effect: Effect;
  readonly target?: CallTarget;
  /** The user's answer is the point of the call, so it is never allowed unasked. */
  readonly mustAsk?: true;
  /** As they would run: a hook may have changed them. */
  readonly args: unknown;
  readonly mode: ApprovalMode;
  /** The name of the subagent that calls; absent: the agent itself. */
  readonly agent?: string;
  /** The user runs it from the prompt: what they typed needs no answer of theirs. */
  readonly own?: true;
  /** A small model that may answer for the user; absent: none is heard. Rejects on abort. */
  readonly hear?: (open: OpenCommand) => Promise<Classified | undefined>;
}

/** One command of a line; its text, and what rules check. */
export interface MatterLine {
  readonly text: string;
  readonly part?: CommandMatter;
}

export function matterOf(
  { tool, effect, mode, target, args, agent }: PolicyQuery,
  { interactive }: { readonly interactive: boolean },
  line?: MatterLine,
): Matter {
  const given = typeof args === 'object' && args !== null ? args : {};
  const called = target?.kind === 'mcp' ? target : undefined;
  const argsWith = (command: string) => canonicalJson({ ...given, command });
  const json = line ? argsWith(line.text) : canonicalJson(shortened(given));
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
  // A task leaves this computer, as an address does that is read from.
  if (target?.kind === 'agent') return 'fetch';
  // A server that the workspace brings may say of itself what it likes.
  return isOfWorkspace(target) && effect === 'read' ? 'run' : effect;
}

export function isOfWorkspace(target: CallTarget | undefined): boolean {
  return target?.kind === 'mcp' && target.ofWorkspace === true;
}
