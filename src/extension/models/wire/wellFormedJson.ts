/**
 * Replaces the halves of surrogate pairs in JSON that `JSON.stringify` made: it writes them as escapes, and whole pairs as
 * they are. Services refuse such a body, for good if the text is part of the history: Anthropic with "not valid JSON:
 * no low surrogate in string", others when they decode it.
 */
export function wellFormedJson(json: string): string {
  if (!/\\ud/i.test(json)) return json;
  // An even number of backslashes before it: the escape itself is not escaped.
  return json.replace(/(?<!\\)((?:\\\\)*)\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g, '$1\ufffd');
}
