/*
 * Measures what fills the context. A provider only counts the total, so the parts are estimates, scaled to match it:
 *
 *   system │ tools │ memory │ files │ summary │ chapter 1 │ chapter 2 │ …
 *   ◄──────────────── tokens of the newest request and its answer ───────────────►
 *
 * Later messages (results that wait for the next request) are not included.
 */

import type { CompressionPlan } from '../../../protocol/compression.ts';
import type { Message, SessionEvent } from '../../../protocol/events.ts';
import type { ContextBreakdown, ContextPart } from '../../../protocol/panel/context.ts';
import type { ChapterStart } from '../history/places.ts';
import { isSigned } from '../history/signatures.ts';
import type { ToolDeclaration } from '../model.ts';
import { memoryBlocksOf } from '../prompt/sections/customContent.ts';
import { estimatePart, estimateText } from './tokens.ts';

/** All that the next request would hold. */
export interface ContextContents {
  readonly system: string;
  readonly tools: readonly ToolDeclaration[];
  /** The compressed history. */
  readonly messages: readonly Message[];
  /** The same messages with masked results. */
  readonly masked: readonly Message[];
  /** The latest compression in force. */
  readonly compression: CompressionPlan | undefined;
  /** Id of the chapter that the session began with. */
  readonly opening: string;
  /** In order, without the opening. */
  readonly chapters: readonly ChapterStart[];
  /** Latest total, counted by the provider or estimated by a compression; 0: unknown. */
  readonly tokens: number;
  readonly limit: number;
  readonly threshold: number;
}

interface Sizes {
  /** Attachments, mentions, and the editor's state. */
  readonly files: number;
  readonly rest: number;
}

/** Caches measurements, so that each step only measures new messages. */
export class ContextMeasure {
  private readonly sizes = new WeakMap<Message, Sizes>();
  private readonly declared = new WeakMap<ToolDeclaration, number>();
  private prompt: { readonly text: string; readonly system: number; readonly memory: number } | undefined;
  private counted: { readonly messages: readonly Message[]; readonly length: number } | undefined;

  /**
   * Takes events of this run of the host only: after a resume nothing is counted before the next request.
   * @param messages of the history after this event; a rewind or a compression creates a new list
   */
  fold(event: SessionEvent, messages: readonly Message[]): void {
    if (event.type === 'step.ended' && event.usage) this.counted = { messages, length: messages.length };
  }

  describe(now: ContextContents): ContextBreakdown {
    const counted = this.counted?.messages === now.messages && now.tokens > 0 ? this.counted : undefined;
    const length = counted?.length ?? now.messages.length;
    const estimates = this.estimate(now, length).filter(({ tokens }) => tokens > 0);
    const sum = sumOf(estimates);
    const used = sum > 0 && now.tokens > 0 ? now.tokens : sum;
    const { limit, threshold } = now;
    return { limit, used, counted: counted !== undefined, threshold, parts: scale(estimates, sum, used) };
  }

  private estimate(now: ContextContents, length: number): readonly ContextPart[] {
    const { system, memory } = this.measurePrompt(now.system);
    const tools = now.tools.reduce((sum, tool) => sum + this.measureTool(tool), 0);
    const replaced = now.compression?.replacement.length ?? 0;
    const keptFrom = now.compression?.keptFrom ?? 0;
    const starts = [{ chapterId: now.opening, message: 0 }, ...now.chapters];
    const chapters = starts.map(() => 0);
    let files = 0;
    let summary = 0;
    let at = 0;
    for (let index = 0; index < length; index++) {
      const sizes = this.measure(now.masked[index]!);
      if (index < replaced) {
        summary += sizes.files + sizes.rest;
        continue;
      }
      const place = keptFrom + index - replaced;
      while (at + 1 < starts.length && starts[at + 1]!.message <= place) at++;
      files += sizes.files;
      chapters[at]! += sizes.rest;
    }
    return [
      { kind: 'system', tokens: system },
      { kind: 'tools', tokens: tools },
      { kind: 'memory', tokens: memory },
      { kind: 'files', tokens: files },
      { kind: 'summary', tokens: summary },
      ...starts.map(
        ({ chapterId }, index): ContextPart => ({ kind: 'chapter', chapterId, tokens: chapters[index]! }),
      ),
    ];
  }

  /** Separates memory from the rest of the system prompt. */
  private measurePrompt(text: string): { readonly system: number; readonly memory: number } {
    if (this.prompt?.text !== text) {
      const memory = memoryBlocksOf(text).reduce((sum, block) => sum + estimateText(block), 0);
      this.prompt = { text, memory, system: Math.max(0, estimateText(text) - memory) };
    }
    return this.prompt;
  }

  private measureTool(tool: ToolDeclaration): number {
    const known = this.declared.get(tool) ?? estimateText(JSON.stringify(tool));
    this.declared.set(tool, known);
    return known;
  }

  private measure(message: Message): Sizes {
    const known = this.sizes.get(message) ?? measureMessage(message);
    this.sizes.set(message, known);
    return known;
  }
}

/** The user's text is the last part of a prompt; the parts before it are read files and context. */
function measureMessage({ role, parts }: Message): Sizes {
  // Providers only get signed thoughts back.
  const tokens = parts.map(part => (part.kind === 'thought' && !isSigned(part) ? 0 : estimatePart(part)));
  const all = tokens.reduce((sum, each) => sum + each, 0);
  const isPrompt = role === 'user' && !parts.some(({ kind }) => kind === 'result');
  const rest = isPrompt ? (tokens.at(-1) ?? 0) : all;
  return { files: all - rest, rest };
}

/** Rounds to integers with the sum `total`: those with the largest fractions are rounded up. */
function scale(parts: readonly ContextPart[], sum: number, total: number): readonly ContextPart[] {
  const exact = parts.map(({ tokens }) => (tokens * total) / sum);
  const left = total - exact.reduce((all, value) => all + Math.floor(value), 0);
  const byLoss = exact.map((value, index) => ({ index, loss: value - Math.floor(value) }));
  byLoss.sort((a, b) => b.loss - a.loss);
  const raised = new Set(byLoss.slice(0, left).map(({ index }) => index));
  return parts.map((part, index) => ({
    ...part,
    tokens: Math.floor(exact[index]!) + (raised.has(index) ? 1 : 0),
  }));
}

function sumOf(parts: readonly ContextPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}
