/* Cuts the middle of old, long results when the context is compressed. The full text is saved to disk. */

import type { Message, Part } from '../../../../protocol/events.ts';
import { messageOf } from '../../../base/errors.ts';
import { cutMiddle } from '../../../base/text.ts';
import { isMaskedResult } from '../maskedResultText.ts';
import type { ResultMaskingPorts } from '../resultMasking.ts';
import { estimatePart } from '../tokens.ts';

type ResultPart = Extract<Part, { kind: 'result' }>;

interface CutAmounts {
  /** Estimated tokens of the newest results, which are not cut. */
  readonly protectedTokens: number;
  /** Remaining characters of a longer result. */
  readonly length: number;
}

/** The reference agent's amounts (`context/chatCompressionService.ts`). */
const usual: CutAmounts = { protectedTokens: 50_000, length: 40_000 };
const headShare = 0.2;

/** Increasing cuts to try until a request fits. @param limit context limit in tokens */
export function escalatingCuts(limit: number): readonly CutAmounts[] {
  return [usual, { protectedTokens: limit * 0.3, length: 10_000 }, { protectedTokens: 0, length: 2_000 }];
}

const opening = 'A long result, shortened. The whole is in ';

/**
 * Cuts old, long results; all other messages are the same objects. Skips results that the model has not read yet, or
 * that cannot be saved.
 */
export async function cutResults(
  messages: readonly Message[],
  ports: ResultMaskingPorts,
  { protectedTokens, length }: CutAmounts = usual,
): Promise<readonly Message[]> {
  const result = [...messages];
  const read = messages.findLastIndex(({ role }) => role === 'model');
  let tokens = 0;
  for (let index = messages.length - 1; index >= 0; index--) {
    const { role, parts } = messages[index]!;
    if (!parts.some(part => part.kind === 'result')) continue;
    const cut: Part[] = [];
    for (const part of parts.toReversed()) {
      if (part.kind === 'result') tokens += estimatePart(part);
      const isOld = tokens > protectedTokens && index < read;
      const isCut = isOld && part.kind === 'result' && isCuttable(part, length);
      cut.unshift(isCut ? await cutResult(part, length, ports) : part);
    }
    if (cut.some((part, at) => part !== parts[at])) result[index] = { role, parts: cut };
  }
  return result;
}

function isCuttable({ text }: ResultPart, length: number): boolean {
  return text.length > length && !isMaskedResult(text) && !text.startsWith(opening);
}

/** Uses a separate file name, since masking may later save the shortened result under the call's name. */
async function cutResult(
  part: ResultPart,
  length: number,
  { saveOutput, log }: ResultMaskingPorts,
): Promise<ResultPart> {
  const name = `${part.name}-${part.id}.whole.txt`;
  const path = await saveOutput(name, part.text).catch((error: unknown) => {
    log.warn(`A result of ${part.name} stays whole: ${messageOf(error)}`);
    return undefined;
  });
  if (path === undefined) return part;
  const left = cutMiddle(part.text, length, headShare).toWellFormed();
  return { ...part, text: `${opening}${path}: read parts of it with read_file.\n\n${left}` };
}
