import type { ModelEvent, ModelInfo, ModelProvider, ModelRequest } from '../../src/extension/core/model.ts';
import type { Part } from '../../src/protocol/events.ts';
import { type ScriptedAnswer, ScriptedModel } from './scriptedModel.ts';

/** A provider with a script for each conversation, selected by its first prompt. */
export class CastModel implements ModelProvider {
  readonly requests: ModelRequest[] = [];
  private readonly scripts: ReadonlyMap<string, ScriptedModel>;

  constructor(scripts: Readonly<Record<string, readonly ScriptedAnswer[]>>) {
    this.scripts = new Map(
      Object.entries(scripts).map(([opening, answers]) => [opening, new ScriptedModel(answers)]),
    );
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    this.requests.push(request);
    const script = this.scripts.get(openingOf(request));
    if (!script) throw new Error(`Nobody plays ${openingOf(request)}.`);
    yield* script.stream(request);
  }

  /** Returns the requests of the conversation with this first prompt. */
  requestsOf(opening: string): readonly ModelRequest[] {
    return this.scripts.get(opening)?.requests ?? [];
  }

  async listModels(): Promise<readonly ModelInfo[]> {
    return [{ id: 'cast', label: 'Cast', contextLimit: 1_000_000 }];
  }
}

export function say(text: string): ScriptedAnswer {
  return { parts: [{ kind: 'text', text }] };
}

/** Returns an answer with calls `[tool, arguments]`. */
export function ask(
  ...calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[]
): ScriptedAnswer {
  const parts = calls.map(([name, args], at): Part => ({ kind: 'call', id: `c${at}`, name, args }));
  return { parts };
}

export function send(...tasks: readonly (readonly [agent: string, prompt: string])[]): ScriptedAnswer {
  return ask(...tasks.map(([agent_name, prompt]) => ['invoke_agent', { agent_name, prompt }] as const));
}

export function report(result: string): ScriptedAnswer {
  return ask(['complete_task', { result }]);
}

function openingOf({ messages }: ModelRequest): string {
  const [first] = messages[0]?.parts ?? [];
  return first?.kind === 'text' ? first.text : '';
}
