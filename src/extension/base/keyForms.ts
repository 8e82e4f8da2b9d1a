/** Format of a key. Keys of OpenAI-compatible servers look like OpenAI's. */
export type KeyFormat = 'gemini' | 'anthropic' | 'openai' | 'bedrock';

/** Returns the format of a key by its prefix; `undefined` if the prefix is not known. */
export function detectKeyFormat(text: string): KeyFormat | undefined {
  const key = text.trim();
  if (/^AIza[\w-]{10,}$/.test(key)) return 'gemini';
  if (/^sk-ant-[\w-]{10,}$/.test(key)) return 'anthropic';
  if (/^(ABSK|bedrock-api-key-)[\w+/=-]{10,}$/.test(key)) return 'bedrock';
  return /^sk-[\w-]{10,}$/.test(key) ? 'openai' : undefined;
}
