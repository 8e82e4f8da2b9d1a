/**
 * Replaces lone surrogates in the output of `JSON.stringify`, which escapes them and leaves pairs unescaped. Services
 * reject such a body, permanently if the text is part of the history: Anthropic with "not valid JSON: no low surrogate
 * in string", others when they decode it.
 */
export function wellFormedJson(json: string): string {
  if (!/\\ud/i.test(json)) return json;
  // After an even number of backslashes, the escape itself is not escaped.
  return json.replace(/(?<!\\)((?:\\\\)*)\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g, '$1\ufffd');
}
