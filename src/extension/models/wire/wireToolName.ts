import { headOf } from '../../base/text.ts';
/**
 * A name of a call as every service takes it back in a history. A model may invent others (`functions.read`, blanks, `é`, 260
 * letters), of which each request of the session would fail. Names of declared tools stay as they are.
 *
 * OpenAI takes `^[a-zA-Z0-9_-]{1,64}$` (API reference of chat completions and responses), Anthropic the same up to 128
 * (API reference of messages), Gemini dots and colons besides (reference of `FunctionDeclaration`).
 */
export function wireToolName(name: string): string {
  return headOf(name.replace(/[^a-zA-Z0-9_-]/gu, '_'), 64) || 'unnamed';
}
