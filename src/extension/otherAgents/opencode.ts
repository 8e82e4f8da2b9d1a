import { basename, dirname, join } from 'node:path';
import { fieldsOf, isRecord, textOrEmpty } from '../base/record.ts';
import type { FoundFile, SessionFormat } from './format.ts';
import { listLimit, namesIn, newestFiles, readJson } from './readBounded.ts';
import { TranscriptBuilder } from './transcriptBuilder.ts';

/** Limits: bytes of one file; files of one session for the list, and when it is opened. */
const fileLimit = 8 * 1024 * 1024;
const listedFiles = 200;
const openedFiles = 50_000;

export const opencode: SessionFormat = {
  agent: 'opencode',
  async find({ home, env }, _folders, count) {
    const data = env.XDG_DATA_HOME || join(home, '.local', 'share');
    const root = join(data, 'opencode', 'storage', 'session');
    const files: FoundFile[] = [];
    for (const project of await namesIn(root))
      files.push(...(await newestFiles(join(root, project), /^ses_.+\.json$/, count)));
    return files;
  },
  async read(path, limit) {
    const transcript = new TranscriptBuilder();
    const session = fieldsOf(await readJson(path, fileLimit));
    const { directory, title, parentID } = session;
    transcript.id = basename(path, '.json');
    transcript.folder = textOrEmpty(directory);
    transcript.title = textOrEmpty(title);
    // A subagent's session is not listed.
    if (typeof parentID === 'string') return transcript.build();
    const storage = dirname(dirname(dirname(path)));
    await addMessages(transcript, storage, limit > listLimit ? openedFiles : listedFiles);
    return transcript.build();
  },
};

/** Ids ascend with time. */
async function addMessages(transcript: TranscriptBuilder, storage: string, count: number): Promise<void> {
  let left = count;
  const folder = join(storage, 'message', transcript.id);
  for (const name of (await namesIn(folder)).filter(isJson).toSorted()) {
    if (left-- <= 0) break;
    const message = await readJson(join(folder, name), fileLimit);
    if (!isRecord(message) || (message.role !== 'user' && message.role !== 'assistant')) {
      transcript.unreadable++;
      continue;
    }
    const parts: unknown[] = [];
    const partFolder = join(storage, 'part', basename(name, '.json'));
    for (const part of (await namesIn(partFolder)).filter(isJson).toSorted()) {
      if (left-- <= 0) break;
      parts.push(await readJson(join(partFolder, part), fileLimit));
    }
    addMessage(transcript, message, parts);
  }
  transcript.isCut = left < 0;
}

function isJson(name: string): boolean {
  return /^[\w-]+\.json$/.test(name);
}

function addMessage(
  transcript: TranscriptBuilder,
  { role, time, modelID }: Readonly<Record<string, unknown>>,
  parts: readonly unknown[],
): void {
  if (typeof modelID === 'string') transcript.model = modelID;
  const typed: string[] = [];
  for (const part of parts) {
    const { type, text, synthetic, tool, callID, state } = fieldsOf(part);
    const { input, output, error, status } = fieldsOf(state);
    if (type === 'text' && role === 'user' && synthetic !== true) typed.push(textOrEmpty(text));
    else if (type === 'text' && role === 'assistant') transcript.say(textOrEmpty(text));
    else if (type === 'tool') {
      transcript.call(textOrEmpty(callID), textOrEmpty(tool), input);
      if (status === 'completed') transcript.result(textOrEmpty(callID), textOrEmpty(output), true);
      if (status === 'error') transcript.result(textOrEmpty(callID), textOrEmpty(error), false);
    } else if (!passedOver.has(type)) transcript.unreadable++;
  }
  if (role === 'user') transcript.prompt(typed.join('\n'), fieldsOf(time).created);
}

/** Parts without prompt, text or call. */
const passedOver: ReadonlySet<unknown> = new Set(
  'text reasoning step-start step-finish patch file snapshot agent subtask retry compaction'.split(' '),
);
