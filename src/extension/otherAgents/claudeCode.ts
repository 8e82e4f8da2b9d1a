import { join } from 'node:path';
import { fieldsOf, isRecord, textOrEmpty } from '../base/record.ts';
import type { SessionFormat } from './format.ts';
import { isLarger, namesIn, newestFiles, readJsonLines } from './readBounded.ts';
import { contentText, TranscriptBuilder } from './transcriptBuilder.ts';

export const claudeCode: SessionFormat = {
  agent: 'Claude Code',
  async find({ home, env }, folders, count) {
    const root = join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects');
    const wanted = folders === 'all' ? await namesIn(root) : folders.map(nameOf);
    const found = await Promise.all(
      wanted.map(name => newestFiles(join(root, name), /^(?!agent-).+\.jsonl$/, count)),
    );
    return found.flat();
  },
  async read(path, limit) {
    const session = new ClaudeSession();
    for await (const line of readJsonLines(path, limit)) session.add(line);
    session.transcript.isCut = await isLarger(path, limit);
    return session.transcript.build();
  },
};

/** Two folders may have the same name; the lines tell which it is. */
function nameOf(folder: string): string {
  return folder.replace(/[^a-zA-Z0-9]/g, '-');
}

/** Types of lines without prompt, text or call. */
const passedOver =
  /^(?:system|progress|summary|ai-title|custom-title|agent-name|agent-color|last-prompt|tag|mode|permission-mode|pr-link|attachment|queue-operation|file-history-snapshot|worktree-state|content-replacement|attribution-snapshot|marble-origami-\w+)$/;

/** Texts that Claude Code writes in place of a prompt. */
const notTyped =
  /^\s*(?:<(?:command-|local-command|system-reminder|bash-|task-notification|teammate-)|Caveat: |\[Request interrupted|This session is being continued)/;

class ClaudeSession {
  readonly transcript = new TranscriptBuilder();
  /** Number of turns at each line. */
  private readonly turnsAt = new Map<string, number>();
  private readonly said = new Set<string>();

  add(line: unknown): void {
    const { transcript } = this;
    const fields = fieldsOf(line);
    const type = textOrEmpty(fields.type);
    if (!isRecord(line) || (type !== 'user' && type !== 'assistant' && !passedOver.test(type))) {
      transcript.unreadable++;
      return;
    }
    transcript.id ||= textOrEmpty(fields.sessionId);
    transcript.folder ||= textOrEmpty(fields.cwd);
    if (type === 'summary') transcript.title = textOrEmpty(fields.summary);
    if (type === 'ai-title' || type === 'custom-title')
      transcript.title = textOrEmpty(fields.aiTitle) || textOrEmpty(fields.customTitle) || transcript.title;
    if (fields.isSidechain !== true) {
      if (type === 'user') this.addUser(fields);
      if (type === 'assistant') this.addAnswer(fieldsOf(fields.message));
    }
    if (typeof fields.uuid === 'string') this.turnsAt.set(fields.uuid, transcript.length);
  }

  private addUser({
    message,
    isMeta,
    isCompactSummary,
    parentUuid,
    timestamp,
  }: Record<string, unknown>): void {
    const { content } = fieldsOf(message);
    const blocks = Array.isArray(content) ? content.map(fieldsOf) : [{ type: 'text', text: content }];
    for (const { type, tool_use_id: id, content: result, is_error: failed } of blocks as Record<
      string,
      unknown
    >[])
      if (type === 'tool_result')
        this.transcript.result(textOrEmpty(id), contentText(result), failed !== true);
    if (isMeta === true || isCompactSummary === true) return;
    const typed = blocks.flatMap(({ type, text }: Record<string, unknown>) =>
      type === 'text' && typeof text === 'string' && !notTyped.test(text) ? [text] : [],
    );
    if (typed.length === 0) return;
    // The session continues from that line, so later turns were undone.
    const kept = this.turnsAt.get(textOrEmpty(parentUuid));
    if (kept !== undefined) this.transcript.keep(kept);
    this.transcript.prompt(typed.join('\n'), timestamp);
  }

  private addAnswer({ id, model, content }: Readonly<Record<string, unknown>>): void {
    if (typeof model === 'string' && model !== '<synthetic>') this.transcript.model = model;
    for (const block of Array.isArray(content) ? content.map(fieldsOf) : []) {
      const { type, text, id: callId, name, input } = block;
      if (type === 'tool_use') this.transcript.call(textOrEmpty(callId), textOrEmpty(name), input);
      // Some versions repeat a message for each of its blocks.
      const key = `${textOrEmpty(id)}\n${textOrEmpty(text)}`;
      if (type !== 'text' || (typeof id === 'string' && this.said.has(key))) continue;
      this.said.add(key);
      this.transcript.say(textOrEmpty(text));
    }
  }
}
