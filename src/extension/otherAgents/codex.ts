import { join } from 'node:path';
import { fieldsOf, isRecord, textOrEmpty, tryParseJson } from '../base/record.ts';
import type { FoundFile, SessionFormat } from './format.ts';
import { isLarger, namesIn, newestFiles, readJsonLines } from './readBounded.ts';
import { contentText, TranscriptBuilder } from './transcriptBuilder.ts';

export const codex: SessionFormat = {
  agent: 'Codex',
  async find({ home, env }, _folders, count) {
    const root = join(env.CODEX_HOME || join(home, '.codex'), 'sessions');
    const files: FoundFile[] = [];
    // Newest days first. The folder of a session is stored inside it.
    for (const folder of await daysOf(root)) {
      if (files.length >= count * 3) break;
      files.push(...(await newestFiles(folder, /^rollout-.+\.jsonl$/, count)));
    }
    return files;
  },
  async read(path, limit) {
    const transcript = new TranscriptBuilder();
    for await (const line of readJsonLines(path, limit)) addLine(transcript, line);
    transcript.isCut = await isLarger(path, limit);
    return transcript.build();
  },
};

/** Year, month and day folders, newest first. */
async function daysOf(root: string): Promise<readonly string[]> {
  let folders: readonly string[] = [root];
  for (const digits of [/^\d{4}$/, /^\d\d$/, /^\d\d$/]) {
    const below = await Promise.all(
      folders.map(async folder =>
        (await namesIn(folder))
          .filter(name => digits.test(name))
          .toSorted()
          .toReversed()
          .map(name => join(folder, name)),
      ),
    );
    folders = below.flat();
  }
  return folders;
}

function addLine(transcript: TranscriptBuilder, line: unknown): void {
  if (!isRecord(line)) {
    transcript.unreadable++;
    return;
  }
  const payload = fieldsOf(line.payload);
  switch (line.type) {
    case 'session_meta':
      transcript.id ||= textOrEmpty(payload.id);
      transcript.folder ||= textOrEmpty(payload.cwd);
      return;
    case 'turn_context':
      transcript.model = textOrEmpty(payload.model) || transcript.model;
      return;
    case 'response_item':
      addItem(transcript, payload, line.timestamp);
      return;
    case 'event_msg':
      // Duplicates for display, except for rollbacks.
      if (payload.type === 'thread_rolled_back' && typeof payload.num_turns === 'number')
        transcript.keep(transcript.length - payload.num_turns);
      return;
    case 'compacted':
      return;
    default:
      transcript.unreadable++;
  }
}

/** Texts that Codex inserts before the first prompt, in the user's role. */
const notTyped =
  /^\s*(?:<(?:environment_context|user_instructions|turn_aborted|permissions|skill|collaboration_mode|INSTRUCTIONS)|# AGENTS\.md instructions)/i;

function addItem(transcript: TranscriptBuilder, item: Readonly<Record<string, unknown>>, at: unknown): void {
  const id = textOrEmpty(item.call_id);
  switch (item.type) {
    case 'message': {
      const text = contentText(item.content);
      if (item.role === 'assistant') transcript.say(text);
      if (item.role === 'user' && !notTyped.test(text)) transcript.prompt(text, at);
      return;
    }
    case 'function_call':
      transcript.call(id, textOrEmpty(item.name), tryParseJson(textOrEmpty(item.arguments)));
      return;
    case 'custom_tool_call':
      transcript.call(id, textOrEmpty(item.name), { input: item.input });
      return;
    case 'local_shell_call':
      transcript.call(id, 'shell', item.action);
      return;
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const { text, ok } = outputOf(item.output);
      transcript.result(id, text, ok);
      return;
    }
    case 'reasoning':
    case 'web_search_call':
    case 'ghost_snapshot':
    case 'compaction':
      return;
    default:
      transcript.unreadable++;
  }
}

/** A text, an object, or an object encoded as text. */
function outputOf(output: unknown): { readonly text: string; readonly ok: boolean } {
  const record = isRecord(output) ? output : tryParseJson(textOrEmpty(output));
  if (!isRecord(record)) return { text: contentText(output), ok: true };
  const { output: text, content, success, metadata } = record;
  const { exit_code: code = 0 } = fieldsOf(metadata);
  return { text: contentText(text ?? content) || textOrEmpty(output), ok: success !== false && code === 0 };
}
