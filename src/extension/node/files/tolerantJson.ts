/** JSON, in which comments and trailing commas are tolerated. Rejects with where the problem is. */
export async function parseTolerantly(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    // The tolerant parser, which few files need, tells where the problem is.
  }
  const { default: JSON5 } = await import('json5');
  return JSON5.parse(text);
}
