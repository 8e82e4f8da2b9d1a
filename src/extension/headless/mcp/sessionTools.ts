/* Tools and resources for reading sessions, their chapters, and changes to review. */

import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { ServedSessions } from './servedSessions.ts';

const annotations = { readOnlyHint: true, openWorldHint: false } as const;
const session = z.string().describe('The id of a session, as list_sessions gives it');

const listing = {
  title: 'List sessions',
  description:
    'Lists the sessions of Folio, a coding agent, in the folders of this server: id, title, when it changed. The newest 50.',
  inputSchema: z.object({ query: z.string().optional().describe('Words that all occur in the session') }),
  annotations,
};

const reading = {
  title: 'Read a chapter',
  description:
    'Reads one chapter of a session as Markdown: prompts, answers, calls and changes. Without chapter, lists the chapters with their summaries.',
  inputSchema: z.object({
    session,
    chapter: z.int().min(0).optional().describe('The number of the chapter'),
    from: z.int().min(0).optional().describe('The character to read on from, of a long chapter'),
  }),
  annotations,
};

const reviewing = {
  title: 'Show what waits for review',
  description:
    'Shows the changes of a session that the user has not accepted or rejected yet: files, hunks, and who wrote them.',
  inputSchema: z.object({ session }),
  annotations,
};

export function registerSessionTools(server: McpServer, sessions: ServedSessions): void {
  server.registerTool('list_sessions', listing, async ({ query }) =>
    asText(JSON.stringify(await sessions.list(query), undefined, 1)),
  );
  server.registerTool('read_chapter', reading, async ({ session: id, chapter, from }) =>
    asText(
      chapter === undefined ? await sessions.describe(id) : await sessions.readChapter(id, chapter, from),
    ),
  );
  server.registerTool('review_state', reviewing, async ({ session: id }) =>
    asText(await sessions.describeReviews(id)),
  );
  offerResources(server, sessions);
}

const mimeType = 'text/markdown';

function offerResources(server: McpServer, sessions: ServedSessions): void {
  const list = async () => ({
    resources: (await sessions.list()).map(({ id, title }) => ({
      uri: `folio://sessions/${id}`,
      name: title,
      mimeType,
    })),
  });
  server.registerResource(
    'session',
    new ResourceTemplate('folio://sessions/{session}', { list }),
    { title: 'A session', description: 'Its chapters with their summaries', mimeType },
    async (uri, { session: id }) => asContents(uri, await sessions.describe(String(id))),
  );
  server.registerResource(
    'chapter',
    new ResourceTemplate('folio://sessions/{session}/chapters/{chapter}', { list: undefined }),
    { title: 'A chapter', description: 'What was said and done in it', mimeType },
    async (uri, { session: id, chapter }) =>
      asContents(uri, await sessions.readChapter(String(id), Number(chapter))),
  );
}

function asContents({ href }: URL, text: string) {
  return { contents: [{ uri: href, mimeType, text }] };
}

function asText(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}
