/** Parses JSON with comments and trailing commas. Rejects with the position of the error. */
export async function parseTolerantJson(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    // The tolerant parser reports the position. Few files need it.
  }
  const { default: JSON5 } = await import('json5');
  return JSON5.parse(text);
}
