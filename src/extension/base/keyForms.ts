/** Keys of OpenAI look like those of the servers that copy it. */
export type KeyForm = 'gemini' | 'anthropic' | 'openai' | 'bedrock';

/** The owner of a key by its beginning; `undefined`: nobody can tell. */
export function ownerOfKey(text: string): KeyForm | undefined {
  const key = text.trim();
  if (/^AIza[\w-]{10,}$/.test(key)) return 'gemini';
  if (/^sk-ant-[\w-]{10,}$/.test(key)) return 'anthropic';
  if (/^(ABSK|bedrock-api-key-)[\w+/=-]{10,}$/.test(key)) return 'bedrock';
  return /^sk-[\w-]{10,}$/.test(key) ? 'openai' : undefined;
}
