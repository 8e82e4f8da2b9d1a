import { headOf } from '../../base/text.ts';
/**
 * Makes the name of a call acceptable to every service. A model may invent names (`functions.read`, blanks, `é`, 260
 * letters), which would fail every later request of the session. Names of declared tools stay unchanged.
 *
 * OpenAI accepts `^[a-zA-Z0-9_-]{1,64}$` (API reference of chat completions and responses), Anthropic the same up to
 * 128 (API reference of messages), Gemini also dots and colons (reference of `FunctionDeclaration`).
 */
export function validToolName(name: string): string {
  return headOf(name.replace(/[^a-zA-Z0-9_-]/gu, '_'), 64) || 'unnamed';
}
