/* Derives the conversation so far from a single request: the rehearsal keeps no state of its own. */

import type { WireBody, WireContent, WireResponse } from './wire.ts';

export interface RehearsedConversation {
  /** The user's newest prompt. */
  readonly prompt: string;
  /** The user's first prompt, or the goal in an earlier summary of it. */
  readonly opening: string;
  readonly system: string;
  /** Calls before the prompt, oldest first. */
  readonly earlier: readonly FinishedCall[];
  /** Calls since the prompt, oldest first. */
  readonly calls: readonly FinishedCall[];
  /** Parameter names of each declared tool. */
  readonly tools: ReadonlyMap<string, readonly string[]>;
}

export interface FinishedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
  /** The tool's result. */
  readonly text: string;
}

export function readConversation(body: WireBody): RehearsedConversation {
  const contents = body.contents ?? [];
  const at = contents.findLastIndex(isPrompt);
  return {
    // Parts before the last are about the editor and what was attached.
    prompt: contents[at]?.parts?.findLast(part => part.text)?.text ?? '',
    opening: openingOf(contents.find(isPrompt)),
    system: textOf(body.systemInstruction),
    earlier: exchangesOf(contents.slice(0, at + 1)),
    calls: exchangesOf(contents.slice(at + 1)),
    tools: readTools(body),
  };
}

function openingOf(first: WireContent | undefined): string {
  const text = first?.parts?.findLast(part => part.text)?.text ?? '';
  return /<overall_goal>([\s\S]*?)<\/overall_goal>/.exec(text)?.[1]?.trim() ?? text;
}

function textOf(content: WireContent | undefined): string {
  return (content?.parts ?? []).map(({ text }) => text ?? '').join('');
}

function isPrompt({ role, parts = [] }: WireContent): boolean {
  return role === 'user' && parts.some(part => part.text) && !parts.some(part => part.functionResponse);
}

/** Pairs each call with its result in the following content. Leaves out calls without one. */
function exchangesOf(contents: readonly WireContent[]): FinishedCall[] {
  return contents.flatMap((content, at) => {
    const calls = (content.parts ?? []).flatMap(part => part.functionCall ?? []);
    const results = (contents[at + 1]?.parts ?? []).flatMap(part => part.functionResponse ?? []);
    return calls.flatMap(({ id, name, args = {} }, index) => {
      const result = id === undefined ? results[index] : results.find(candidate => candidate.id === id);
      return result ? [{ name, args, ...outcomeOf(result) }] : [];
    });
  });
}

function outcomeOf({ response = {} }: WireResponse): { ok: boolean; text: string } {
  const { error, output } = response;
  if (error !== undefined) return { ok: false, text: asText(error) };
  return { ok: true, text: asText(output ?? response) };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function readTools({ tools = [] }: WireBody): Map<string, readonly string[]> {
  const declarations = tools.flatMap(tool => tool.functionDeclarations ?? []);
  return new Map(declarations.map(({ name, parametersJsonSchema: schema }) => [name, propertiesOf(schema)]));
}

function propertiesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return [];
  return Object.keys(schema.properties ?? {});
}
