import type { Blob } from '../../../protocol/events.ts';
import { addResource, type ContentParts, noParts } from './parts.ts';

export interface ResourceContent {
  /** The server's; to be fenced. */
  readonly text: string;
  readonly blobs: readonly Blob[];
  readonly parts: ContentParts;
}

/** From the answer to `resources/read`. */
export function readContent(result: Readonly<Record<string, unknown>>): ResourceContent {
  const parts = noParts();
  if (Array.isArray(result.contents)) for (const each of result.contents) addResource(parts, each);
  return { text: parts.texts.join('\n\n'), blobs: parts.blobs, parts };
}
