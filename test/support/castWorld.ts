/* A session with subagents, and a script for each of them. */

import { builtInAgents } from '../../src/extension/core/agents/builtInAgents.ts';
import { iterate } from '../../src/protocol/pagedList.ts';
import { type CallItem, newestChapter } from '../../src/protocol/state.ts';
import { CastModel } from './castModel.ts';
import { makeWorld, type World, type WorldOptions } from './conversation.ts';
import type { ScriptedAnswer } from './scriptedModel.ts';

export interface Cast extends World {
  readonly cast: CastModel;
}

/** @param scripts by the first prompt of each conversation */
export function castWorld(
  scripts: Readonly<Record<string, readonly ScriptedAnswer[]>>,
  options: Partial<WorldOptions> = {},
): Cast {
  const cast = new CastModel(scripts);
  return { ...makeWorld({ answers: [], agents: builtInAgents, provider: cast, ...options }), cast };
}

/** Returns the call of the only subagent. */
export function callOf({ session }: World): CallItem {
  const calls = [...iterate(newestChapter(session.state).items)].filter(item => item.type === 'call');
  return calls.find(({ tool }) => tool === 'invoke_agent')!;
}

/** Returns the result of the only subagent, in the conversation that began with `go`. */
export function resultOf({ cast }: Cast): { readonly ok: boolean; readonly text: string } {
  const [result] = cast.requestsOf('go').at(-1)!.messages.at(-1)!.parts;
  if (result?.kind !== 'result') throw new Error('There is no result.');
  return result;
}
