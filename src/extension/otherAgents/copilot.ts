import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fieldsOf, isRecord, textOrEmpty, tryParseJson } from '../base/record.ts';
import type { FoundFile, SessionFormat } from './format.ts';
import { isLarger, namesIn, newestFiles, readJson, readJsonLines } from './readBounded.ts';
import { contentText, TranscriptBuilder } from './transcriptBuilder.ts';

/** A session in one JSON text is read completely or not at all. */
const wholeLimit = 8 * 1024 * 1024;
const workspaceLimit = 1024 * 1024;

export const copilot: SessionFormat = {
  agent: 'Copilot',
  async find({ workspaceStorage }, folders, count) {
    const files: FoundFile[] = [];
    for (const storage of workspaceStorage) {
      for (const name of await namesIn(storage)) {
        const folder = await folderOf(join(storage, name));
        if (folders !== 'all' && !folders.includes(folder)) continue;
        files.push(...(await newestFiles(join(storage, name, 'chatSessions'), /\.jsonl?$/, count)));
      }
    }
    return files;
  },
  async read(path, limit) {
    const most = Math.max(limit, wholeLimit);
    let isBroken = 0;
    let session: unknown;
    if (path.endsWith('.jsonl'))
      for await (const line of readJsonLines(path, most)) {
        const next = applied(session, line);
        if (next === undefined) isBroken++;
        else session = next;
      }
    else session = await readJson(path, most);
    const transcript = new TranscriptBuilder();
    transcript.unreadable = isBroken + (isRecord(session) ? 0 : 1);
    transcript.isCut = await isLarger(path, most);
    transcript.folder = await folderOf(dirname(dirname(path)));
    addSession(transcript, fieldsOf(session));
    return transcript.build();
  },
};

async function folderOf(workspace: string): Promise<string> {
  const described = await readJson(join(workspace, 'workspace.json'), workspaceLimit).catch(() => undefined);
  const { folder } = fieldsOf(described);
  try {
    return typeof folder === 'string' ? fileURLToPath(folder) : '';
  } catch {
    // A folder on another machine.
    return '';
  }
}

/**
 * Applies a line to the session: set everything (0), set a value at a path (1), append to or truncate a list (2),
 * remove a member (3). Returns `undefined` if the line does not fit.
 */
function applied(session: unknown, line: unknown): unknown {
  const { kind, k: keys, v: value, i: index } = fieldsOf(line);
  if (kind === 0) return isRecord(value) ? value : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || ![1, 2, 3].includes(kind as number)) return undefined;
  let place: unknown = session;
  for (const key of keys.slice(0, -1)) place = memberOf(place, key);
  const last: unknown = keys.at(-1);
  if (kind === 2) {
    const list = memberOf(place, last);
    if (!Array.isArray(list)) return undefined;
    if (typeof index === 'number' && index >= 0 && index <= list.length) list.length = Math.floor(index);
    list.push(...(Array.isArray(value) ? value.slice(0, 100_000) : []));
    return session;
  }
  if (typeof place !== 'object' || place === null || !isKey(place, last)) return undefined;
  if (kind === 1)
    Object.defineProperty(place, last, { value, enumerable: true, writable: true, configurable: true });
  else Reflect.deleteProperty(place, last);
  return session;
}

function memberOf(place: unknown, key: unknown): unknown {
  if (typeof place !== 'object' || place === null || !isKey(place, key)) return undefined;
  return Object.hasOwn(place, key) ? Reflect.get(place, key) : undefined;
}

/** Prevents holes in lists, and access to inherited members. */
function isKey(place: object, key: unknown): key is string | number {
  if (Array.isArray(place))
    return Number.isInteger(key) && (key as number) >= 0 && (key as number) <= place.length;
  return typeof key === 'string' && key !== '__proto__';
}

function addSession(transcript: TranscriptBuilder, session: Readonly<Record<string, unknown>>): void {
  const { sessionId, customTitle, requests } = session;
  transcript.id = textOrEmpty(sessionId);
  transcript.title = textOrEmpty(customTitle);
  for (const request of Array.isArray(requests) ? requests.map(fieldsOf) : []) {
    const { message, timestamp, modelId, response, result } = request;
    transcript.prompt(textOrEmpty(fieldsOf(message).text) || contentText(message), timestamp);
    if (typeof modelId === 'string') transcript.model = modelId;
    const known = addRounds(transcript, fieldsOf(fieldsOf(result).metadata));
    for (const part of Array.isArray(response) ? response.map(fieldsOf) : [])
      addPart(transcript, part, known);
  }
}

/** Adds the calls in the model's order, with their results. */
function addRounds(
  transcript: TranscriptBuilder,
  { toolCallRounds, toolCallResults }: Readonly<Record<string, unknown>>,
): ReadonlySet<string> {
  const known = new Set<string>();
  const results = fieldsOf(toolCallResults);
  const rounds = Array.isArray(toolCallRounds) ? toolCallRounds.map(fieldsOf) : [];
  for (const call of rounds
    .flatMap(({ toolCalls }) => (Array.isArray(toolCalls) ? toolCalls : []))
    .map(fieldsOf)) {
    const id = textOrEmpty(call.id);
    known.add(id);
    transcript.call(id, textOrEmpty(call.name), tryParseJson(textOrEmpty(call.arguments)));
    const result = Object.hasOwn(results, id) ? fieldsOf(results[id]) : undefined;
    if (result) transcript.result(id, valuesOf(result.content), result.isError !== true);
  }
  return known;
}

function valuesOf(content: unknown): string {
  if (!Array.isArray(content)) return contentText(content);
  return content.map(each => textOrEmpty(fieldsOf(each).value)).join('\n');
}

/** @param known calls that were added already */
function addPart(
  transcript: TranscriptBuilder,
  part: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): void {
  const { kind, value, toolId, toolCallId, pastTenseMessage, invocationMessage, toolSpecificData } = part;
  if (kind === undefined || kind === 'markdownContent') {
    transcript.say(textOrEmpty(value) || textOrEmpty(fieldsOf(part.content).value));
  } else if (kind === 'toolInvocationSerialized') {
    if (known.has(textOrEmpty(toolCallId))) return;
    const { commandLine } = fieldsOf(toolSpecificData);
    const command = textOrEmpty(fieldsOf(commandLine).original);
    transcript.call(textOrEmpty(toolCallId), textOrEmpty(toolId), command === '' ? {} : { command });
    const said = pastTenseMessage ?? invocationMessage;
    const text = textOrEmpty(said) || textOrEmpty(fieldsOf(said).value);
    if (part.isComplete === true) transcript.result(textOrEmpty(toolCallId), text, true);
  } else if (kind === 'textEditGroup') {
    addEdits(transcript, part);
  } else if (!passedOver.has(kind)) transcript.unreadable++;
}

function addEdits(transcript: TranscriptBuilder, { uri, edits }: Readonly<Record<string, unknown>>): void {
  const path = textOrEmpty(fieldsOf(uri).fsPath) || textOrEmpty(fieldsOf(uri).path);
  const texts = (Array.isArray(edits) ? edits.flat() : []).map(each => textOrEmpty(fieldsOf(each).text));
  transcript.call('', 'edit', { path, edits: texts.filter(Boolean).join('\n…\n') });
}

/** Parts without prompt, text or call. */
const passedOver: ReadonlySet<unknown> = new Set(
  'thinking progressMessage progressTask progressTaskSerialized inlineReference codeblockUri undoStop prepareToolInvocation mcpServersStarting confirmation elicitation elicitationSerialized warning references command notebookEditGroup multiDiffData treeData extensions pullRequest hook'.split(
    ' ',
  ),
);
