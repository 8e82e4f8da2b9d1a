/*
 * A session as one file for import elsewhere: a header line, the exportable events, and a line per changed file with
 * both texts.
 */

import { posix, win32 } from 'node:path';
import * as z from 'zod';
import type { ReviewedFile } from '../../../protocol/changes.ts';
import { isAgentEvent } from '../../../protocol/fold/agents.ts';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import type { Writer } from '../../../protocol/values.ts';
import { isFreeOfSecrets } from '../../base/maskSecrets.ts';
import { fieldsOf, textOrEmpty, tryParseJson } from '../../base/record.ts';
import { sanitiseLine } from '../../base/text.ts';
import type { BlobStore, SessionStore } from '../../platform/storage.ts';
import { CommandError } from '../commandError.ts';
import { maskEvent } from '../recording/maskEvent.ts';
import { formatAgentLine, parseJournalLine } from '../recording/parseEvent.ts';
import { readJournals } from '../recording/readEvents.ts';
import { readSession } from '../recording/restore.ts';
import { importableEvents } from './importableEvents.ts';
import { type ImportedChange, type ImportedSession, importedTextLimit } from './importedSession.ts';

const format = 'folio-session-events';
const version = 1;

interface Stored {
  readonly sessions: Pick<SessionStore, 'scanJournal' | 'scanAgentJournal'>;
  readonly blobs: Pick<BlobStore, 'get'>;
}

/** Returns the lines of the file, without line breaks. Rejects if the session does not exist. */
export async function sessionFileLines(
  { sessions, blobs }: Stored,
  sessionId: string,
): Promise<readonly string[]> {
  const { state, reported } = readSession(await readJournals(sessions, sessionId));
  const history = importableEvents(reported).map(each =>
    isAgentEvent(each)
      ? formatAgentLine({ ...each, event: maskEvent(each.event) })
      : JSON.stringify(maskEvent(each)),
  );
  const changes = await Promise.all(state.reviews.map(review => readChange(review, state.folders, blobs)));
  const carried = changes.filter(change => change !== undefined);
  const withoutTexts = changes.length - carried.length;
  return [
    JSON.stringify({ format, version, sessionId, title: state.title, withoutTexts }),
    ...history,
    ...carried.map(change => JSON.stringify({ change })),
  ];
}

/** Returns `undefined` if its texts are binary or must not leave this machine. */
async function readChange(
  { path, by, base, present, change, hunks }: ReviewedFile,
  folders: readonly string[],
  blobs: Pick<BlobStore, 'get'>,
): Promise<ImportedChange | undefined> {
  const place = by === 'file' ? undefined : placeIn(folders, path);
  const before = await readText(blobs, base);
  const after = await readText(blobs, present);
  if (!place || before === undefined || after === undefined) return undefined;
  if (!isFreeOfSecrets(before) || !isFreeOfSecrets(after)) return undefined;
  return { ...place, before: change === 'created' ? null : before, after, hunks };
}

async function readText(blobs: Pick<BlobStore, 'get'>, id: string): Promise<string | undefined> {
  const bytes = await blobs.get(id);
  return bytes && bytes.length <= importedTextLimit ? new TextDecoder().decode(bytes) : undefined;
}

/** Handles paths of other operating systems. */
function placeIn(folders: readonly string[], path: string) {
  for (const [folder, root] of folders.entries()) {
    const { relative, isAbsolute, sep } = /^[A-Za-z]:[\\/]|^\\\\/.test(root) ? win32 : posix;
    const name = relative(root, path).split(sep).join('/');
    if (name !== '' && !isAbsolute(name) && name.split('/')[0] !== '..') return { folder, name };
  }
  return undefined;
}

/**
 * Parses such a file, a session's journal, or output of `--output-format stream-json`; the last two contain no texts of
 * files. Throws a `CommandError` for anything else.
 * @param place source for messages
 */
export function parseSessionFile(text: string, place: string): ImportedSession {
  const lines = text.split('\n').filter(line => /\S/.test(line));
  const head = parseHead(lines[0] ?? '');
  const changes: ImportedChange[] = [];
  let unreadable = 0;
  const parsed = (head ? lines.slice(1) : lines).flatMap(line => {
    const change = head && parseChange(line);
    if (change) changes.push(change);
    const event = change ? undefined : parseJournalLine(line);
    if (!change && !event && !isAnswer(line)) unreadable++;
    return event ? [event] : [];
  });
  const { events, state, unreadable: damaged, unknown } = readAll(parsed);
  const from = head?.sessionId || state.sessionId;
  if (from === '' || state.title === '')
    throw new CommandError(t('{0} is not a session of Folio, or it has no prompts.', place));
  return {
    from,
    place,
    title: sanitiseLine(head?.title || state.title, 80),
    events,
    changes,
    withoutTexts: head ? head.withoutTexts : state.reviews.length,
    unreadable: unreadable + damaged + unknown,
    isCut: false,
  };
}

function readAll(parsed: readonly NonNullable<ReturnType<typeof parseJournalLine>>[]) {
  const { state, unreadable, unknown, reported } = readSession([parsed]);
  return { events: importableEvents(reported), state, unreadable, unknown };
}

/** Recognises answers to commands in a run's output, which are not events. */
function isAnswer(line: string): boolean {
  return /^\{"type":"(?:command|input)\./.test(line);
}

function parseHead(line: string) {
  const head = fieldsOf(tryParseJson(line));
  if (head.format !== format) return undefined;
  if (head.version !== version)
    throw new CommandError(t('A newer version of Folio wrote this session. Update Folio to open it.'));
  const withoutTexts = Number.isSafeInteger(head.withoutTexts) ? Number(head.withoutTexts) : 0;
  return { sessionId: textOrEmpty(head.sessionId), title: textOrEmpty(head.title), withoutTexts };
}

const carriedChange = lazySchema(() => {
  const place = z.number().int().nonnegative();
  const text = z.string().max(importedTextLimit);
  return z.object({
    name: z.string().min(1).max(1000),
    folder: place.max(100),
    before: text.nullable(),
    after: text,
    hunks: z
      .array(
        z.object({
          baseStart: place,
          baseCount: place,
          start: place,
          count: place,
          chapterIds: z.array(z.string()),
          writers: z.array(writer()).optional(),
        }),
      )
      .max(10_000),
  });
});

/** Keeps only writers that exist here: the user and other sessions of the origin are unknown. */
const writer = lazySchema(() => {
  const call = { callId: z.string(), agent: z.string().optional() };
  return z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('call'), words: z.string().max(500), ...call }),
    z.object({ kind: z.literal('command'), line: z.string().max(500), ...call }),
    z.object({ kind: z.literal('meanwhile'), words: z.string().max(500), ...call }),
  ]) satisfies z.ZodType<Writer>;
});

function parseChange(line: string): ImportedChange | undefined {
  if (!line.startsWith('{"change":')) return undefined;
  const parsed = carriedChange().safeParse(fieldsOf(tryParseJson(line)).change);
  return parsed.success ? parsed.data : undefined;
}
