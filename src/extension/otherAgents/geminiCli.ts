import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fieldsOf, isRecord, textOrEmpty } from '../base/record.ts';
import type { SessionFormat } from './format.ts';
import { isLarger, namesIn, newestFiles, readJson, readJsonLines } from './readBounded.ts';
import { contentText, TranscriptBuilder } from './transcriptBuilder.ts';

/** A record in one JSON text is read completely or not at all. */
const wholeLimit = 8 * 1024 * 1024;

export const geminiCli: SessionFormat = {
  agent: 'Gemini CLI',
  async find({ home }, folders, count) {
    const root = join(home, '.gemini');
    const projects = fieldsOf(
      fieldsOf(await readJson(join(root, 'projects.json'), wholeLimit).catch(() => undefined)).projects,
    );
    const names =
      folders === 'all'
        ? await namesIn(join(root, 'tmp'))
        : folders.flatMap(folder => [
            createHash('sha256').update(folder).digest('hex'),
            ...(/^[\w.-]+$/.test(textOrEmpty(projects[folder])) ? [textOrEmpty(projects[folder])] : []),
          ]);
    const found = await Promise.all(
      names.map(name => newestFiles(join(root, 'tmp', name, 'chats'), /^session-.+\.jsonl?$/, count)),
    );
    return found.flat().map(file => ({ ...file, isWanted: true }));
  },
  async read(path, limit) {
    const session = new GeminiSession();
    if (path.endsWith('.jsonl')) {
      for await (const line of readJsonLines(path, limit)) session.add(line);
      return session.build(await isLarger(path, limit));
    }
    session.add(await readJson(path, Math.max(limit, wholeLimit)));
    return session.build(await isLarger(path, Math.max(limit, wholeLimit)));
  },
};

class GeminiSession {
  private record: Readonly<Record<string, unknown>> = {};
  /** By id. A later message with the same id replaces the first, in its place. */
  private messages = new Map<string, Readonly<Record<string, unknown>>>();
  private unreadable = 0;

  add(line: unknown): void {
    if (!isRecord(line)) this.unreadable++;
    else if (typeof line.$rewindTo === 'string') this.rewind(line.$rewindTo);
    else if (isRecord(line.$set)) this.setRecord(line.$set);
    else if (typeof line.sessionId === 'string') this.setRecord(line);
    else if (typeof line.id === 'string' && typeof line.type === 'string') this.messages.set(line.id, line);
    else this.unreadable++;
  }

  build(isCut: boolean) {
    const transcript = new TranscriptBuilder();
    const { sessionId, directories, summary } = this.record;
    transcript.id = textOrEmpty(sessionId);
    transcript.folder = Array.isArray(directories) ? textOrEmpty(directories[0]) : '';
    transcript.title = textOrEmpty(summary);
    transcript.isCut = isCut;
    transcript.unreadable = this.unreadable;
    for (const message of this.messages.values()) addMessage(transcript, message);
    return transcript.build();
  }

  private setRecord(fields: Readonly<Record<string, unknown>>): void {
    const { messages, ...record } = fields;
    this.record = { ...this.record, ...record };
    if (!Array.isArray(messages)) return;
    // A checkpoint of all messages.
    this.messages = new Map();
    for (const [at, message] of messages.map(fieldsOf).entries())
      this.messages.set(textOrEmpty(message.id) || `${at}`, message);
  }

  /** Removes the message and all later ones. */
  private rewind(id: string): void {
    const ids = [...this.messages.keys()];
    const from = ids.indexOf(id);
    for (const each of from < 0 ? [] : ids.slice(from)) this.messages.delete(each);
  }
}

function addMessage(transcript: TranscriptBuilder, message: Readonly<Record<string, unknown>>): void {
  const { type, content, displayContent, timestamp, toolCalls, model } = message;
  switch (type) {
    case 'user':
      transcript.prompt(contentText(displayContent) || contentText(content), timestamp);
      return;
    case 'gemini':
      if (typeof model === 'string') transcript.model = model;
      transcript.say(contentText(content));
      for (const call of Array.isArray(toolCalls) ? toolCalls.map(fieldsOf) : []) addCall(transcript, call);
      return;
    case 'info':
    case 'warning':
    case 'error':
      return;
    default:
      transcript.unreadable++;
  }
}

function addCall(
  transcript: TranscriptBuilder,
  { id, name, args, result, status, resultDisplay }: Readonly<Record<string, unknown>>,
): void {
  const callId = textOrEmpty(id);
  transcript.call(callId, textOrEmpty(name), args);
  if (status !== 'success' && status !== 'error') return;
  const text = responseOf(result) || textOrEmpty(resultDisplay);
  transcript.result(callId, text, status === 'success');
}

/** Handles function responses and texts. */
function responseOf(result: unknown): string {
  if (!Array.isArray(result)) return contentText(result);
  return result
    .map(part => {
      const { output, error } = fieldsOf(fieldsOf(fieldsOf(part).functionResponse).response);
      return textOrEmpty(output) || textOrEmpty(error) || textOrEmpty(fieldsOf(part).text);
    })
    .filter(Boolean)
    .join('\n');
}
