import * as z from 'zod';

/** Which file or hunk a command is about. A key or the palette says nothing: then it is the one at the cursor. */
export interface CommandPlace {
  readonly path: string;
  readonly hunkId?: number;
}

const place = z.object({ path: z.string(), hunkId: z.number().optional() });

/** Lenses and links name a place; a button of an editor's title gives the file’s URI, which is no place of ours. */
export function parseCommandPlace(argument: unknown): CommandPlace | undefined {
  const parsed = place.safeParse(argument);
  // A URI has a path too, but more beside it.
  return parsed.success && !(argument instanceof Object && 'scheme' in argument) ? parsed.data : undefined;
}
