/*
 * Counts tokens, since VS Code does not report the usage of a request. Uses the model's tokenizer on the texts, or a
 * rough estimate if it is missing, fails or never answers. That is enough to detect when a context gets full.
 */

import type { Message, Part, Usage } from '../../../protocol/events.ts';
import { estimatePart, estimateText } from '../../core/context/tokens.ts';
import type { ModelRequest } from '../../core/model.ts';
import type { LanguageModel } from './languageModels.ts';

/** The answer has arrived already, so its count must not delay it longer. */
const limitMs = 5_000;

interface Counted {
  readonly model: LanguageModel;
  readonly head: string;
  readonly messages: readonly Message[];
  readonly tokens: number;
}

/** Caches counts: each request is the previous one plus a few messages. */
export class TokenCounts {
  private counted: Counted | undefined;

  /** Never rejects. */
  async ofRequest(model: LanguageModel, { system, tools, messages }: ModelRequest): Promise<number> {
    const head = `${system}\n${JSON.stringify(tools)}`;
    const before = this.counted;
    const isMore =
      before !== undefined &&
      before.model.id === model.id &&
      before.model.vendor === model.vendor &&
      before.head === head &&
      before.messages.every((message, at) => message === messages[at]);
    const known = isMore ? before : { messages: [], tokens: await count(model, head) };
    const parts = messages.slice(known.messages.length).flatMap(message => message.parts);
    const tokens = known.tokens + (await countParts(model, parts));
    this.counted = { model, head, messages, tokens };
    return tokens;
  }

  /** Never rejects. */
  async ofAnswer(model: LanguageModel, { parts }: Message): Promise<Pick<Usage, 'output' | 'thoughts'>> {
    const isThought = (part: Part) => part.kind === 'thought';
    const [output, thoughts] = await Promise.all([
      countParts(
        model,
        parts.filter(part => !isThought(part)),
      ),
      countParts(model, parts.filter(isThought)),
    ]);
    return { output, thoughts };
  }
}

async function countParts(model: LanguageModel, parts: readonly Part[]): Promise<number> {
  const text = parts.map(textOf).filter(Boolean).join('\n');
  const blobs = parts.flatMap(part =>
    part.kind === 'blob' ? [part.blob] : part.kind === 'result' ? (part.blobs ?? []) : [],
  );
  const media = blobs.reduce((sum, blob) => sum + estimatePart({ kind: 'blob', blob }), 0);
  return (await count(model, text)) + media;
}

function textOf(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'thought':
    case 'result':
      return part.text;
    case 'call':
      return `${part.name} ${JSON.stringify(part.args)}`;
    case 'blob':
      return '';
  }
}

async function count(model: LanguageModel, text: string): Promise<number> {
  if (text === '') return 0;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<number>(resolve => {
    timer = setTimeout(() => resolve(0), limitMs);
  });
  try {
    const tokens = await Promise.race([model.countTokens(text), late]);
    // VS Code also returns 0 if the other extension cannot be asked.
    return Number.isFinite(tokens) && tokens > 0 ? Math.ceil(tokens) : estimateText(text);
  } catch {
    // A failed count must not lose an answer.
    return estimateText(text);
  } finally {
    clearTimeout(timer);
  }
}
