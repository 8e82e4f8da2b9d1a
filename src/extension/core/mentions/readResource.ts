import { plural } from '../../../protocol/language.ts';
import { formatBytes, oneLine } from '../../base/text.ts';
import type { ResourceMention, ServerResources } from './resources.ts';
import type { ContentPiece, MentionContent, MentionSources } from './sources.ts';

/** Shorter than for the model's calls, since a prompt that waits longer seems lost. */
const maxDurationMs = 60_000;

/** Rejects with a sentence. The text is untrusted, so it is fenced. */
export async function readResource(
  sources: Pick<MentionSources, 'servers'>,
  { server, uri }: ResourceMention,
  signal: AbortSignal,
): Promise<MentionContent> {
  const servers = sources.servers?.();
  if (!servers) throw new Error(`The server ${oneLine(server, maxNameLength)} does not run any more`);
  const late = AbortSignal.timeout(maxDurationMs);
  const { text, blobs } = await read(servers, { server, uri }, signal, late);
  const heading = `Resource ${JSON.stringify(oneLine(uri, maxNameLength))} of the server ${oneLine(server, maxNameLength)}`;
  const pieces: ContentPiece[] = [
    { kind: 'text', heading, text: text || '(empty)', wrap: 'untrusted_content' },
  ];
  blobs.forEach((blob, at) => {
    const bytes = Math.floor(blob.data.length * 0.75);
    const which = `${heading}, attachment ${at + 1} of ${blobs.length}`;
    pieces.push({ kind: 'media', heading: `${which} (${formatBytes(bytes)})`, blob, bytes });
  });
  const length = plural(text.length, 'one: {0} character | other: {0} characters');
  const detail =
    blobs.length === 0
      ? length
      : plural(blobs.length, 'one: {1}, {0} attachment | other: {1}, {0} attachments', length);
  return { outcome: 'read', kind: 'resource', detail, pieces };
}

const maxNameLength = 300;

async function read(
  servers: ServerResources,
  { server, uri }: Pick<ResourceMention, 'server' | 'uri'>,
  signal: AbortSignal,
  late: AbortSignal,
): ReturnType<ServerResources['readResource']> {
  try {
    return await servers.readResource(server, uri, AbortSignal.any([signal, late]));
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error;
    throw new Error(`The server ${oneLine(server, maxNameLength)} did not answer within a minute`);
  }
}
