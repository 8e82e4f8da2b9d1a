/* Converts the session of another agent to events: one chapter per prompt, with answer and calls. */

import type { DisplayDetail } from '../../../protocol/asks.ts';
import type { SessionEventBody } from '../../../protocol/events.ts';
import type { EmittedEvent } from '../../../protocol/fold/agents.ts';
import type { Effect } from '../../../protocol/values.ts';
import { escapeInvisibleText } from '../../base/hiddenText.ts';
import { plainTerminalText } from '../../base/terminalText.ts';
import { cutMiddle, headOf, sanitiseLine } from '../../base/text.ts';
import { defuseTags } from '../../base/untrusted.ts';
import { lineDiff } from '../../review/lineDiff.ts';
import { describeCall } from './importableEvents.ts';
import type { ImportedSession } from './importedSession.ts';
import type { AgentTurn, FoundSession, OtherAgentTranscript, TranscriptItem } from './otherAgentSessions.ts';

type SaidCall = Extract<TranscriptItem, { kind: 'call' }>;

const titleLimit = 60;
const shownLimit = 20_000;
/** Characters of a prompt's calls that the model reads. */
const recordLimit = 60_000;

export function toImportedSession(found: FoundSession, transcript: OtherAgentTranscript): ImportedSession {
  const { agent, path } = found;
  return {
    from: transcript.id,
    agent,
    place: path,
    title: sanitiseLine(transcript.title, 80),
    events: eventsOf(agent, transcript),
    changes: [],
    withoutTexts: 0,
    unreadable: transcript.unreadable,
    isCut: transcript.isCut,
  };
}

function eventsOf(agent: string, { turns, model }: OtherAgentTranscript): readonly EmittedEvent[] {
  let at = turns.find(turn => turn.at > 0)?.at ?? 1;
  return turns.flatMap((turn, index) => {
    at = Math.max(at, turn.at);
    const bodies = turnEvents(turn, index, model || agent, index === 0 ? agent : undefined);
    return bodies.map(body => ({ ...body, seq: 0, at }));
  });
}

/** @param origin named to the model with the first prompt */
function turnEvents(
  turn: AgentTurn,
  index: number,
  model: string,
  origin: string | undefined,
): readonly SessionEventBody[] {
  const turnId = `other-turn-${index}`;
  const stepId = `other-step-${index}`;
  const prompt = cleaned(turn.prompt);
  const answer = turn.work.flatMap(each => (each.kind === 'text' ? [cleaned(each.text)] : [])).join('\n\n');
  const shown = turn.work.flatMap((each, at): readonly SessionEventBody[] =>
    each.kind === 'text'
      ? [{ type: 'text.appended', stepId, text: `${cleaned(each.text)}\n\n` }]
      : callEvents(each, stepId, `other-call-${index}-${at}`),
  );
  return [
    { type: 'chapter.started', chapterId: `other-chapter-${index}`, title: titleOf(prompt) },
    { type: 'turn.started', turnId, text: prompt, attachments: [] },
    { type: 'message.added', message: { role: 'user', parts: partsOf(turn, prompt, origin) } },
    { type: 'step.started', stepId, number: 1, model: sanitiseLine(model, 80) },
    ...shown,
    { type: 'step.ended', stepId, finish: 'stop', citations: [] },
    {
      type: 'message.added',
      message: { role: 'model', parts: [{ kind: 'text', text: answer || '[No answer was recorded.]' }] },
    },
    { type: 'turn.ended', turnId, end: { kind: 'rested' } },
  ];
}

/** Calls are added to the prompt as data, so that the answer ends the turn. */
function partsOf({ work }: AgentTurn, prompt: string, origin: string | undefined) {
  const note =
    origin === undefined
      ? []
      : [
          `[This conversation was held with ${origin}, another agent with other tools. Its calls are given as data; files may be different now.]`,
        ];
  const calls = work.flatMap(each => (each.kind === 'call' ? [recordOf(each)] : []));
  const record = calls.length > 0 ? [cutRecord(calls)] : [];
  return [...note, prompt, ...record].map(text => ({ kind: 'text' as const, text }));
}

function recordOf({ name, args, result }: SaidCall): string {
  const { ok = false, text = 'No result was recorded.' } = result ?? {};
  return describeCall({ name, args, ok, text: cleaned(text) });
}

/** Keeps the newest records, uncut. */
function cutRecord(calls: readonly string[]): string {
  let first = calls.length;
  for (let size = 0; first > 0; first--) {
    size += calls[first - 1]!.length;
    if (size > recordLimit) break;
  }
  const left = first > 0 ? [`[${first} earlier calls are left out.]`] : [];
  return [...left, ...calls.slice(first)].join('\n');
}

function callEvents(call: SaidCall, stepId: string, callId: string): readonly SessionEventBody[] {
  const { name, args, result } = call;
  const tool = sanitiseLine(name, 80);
  const text = cleaned(result?.text ?? '');
  const summary = result ? sanitiseLine(text.split('\n').find(line => line.trim() !== '') ?? '', 120) : '';
  const outcome = !result ? 'cancelled' : result.ok ? 'ok' : 'failed';
  const subject = subjectOf(args);
  return [
    {
      type: 'call.requested',
      callId,
      stepId,
      tool,
      effect: effectOf(tool),
      title: escapeInvisibleText(headOf(subject === '' ? tool : `${tool}: ${subject}`, 160)),
      args: { input: cutMiddle(JSON.stringify(args), 2_000) },
    },
    {
      type: 'call.ended',
      callId,
      outcome,
      durationMs: 0,
      display: { summary, detail: detailOf(args, text) },
    },
  ];
}

/** Returns the argument that identifies the call: a command, a file, a query. */
function subjectOf(args: Readonly<Record<string, unknown>>): string {
  const names = ['command', 'cmd', 'file_path', 'filePath', 'path', 'pattern', 'query', 'url', 'description'];
  for (const name of names) {
    const value = args[name];
    if (typeof value === 'string') return sanitiseLine(value, 120);
    if (Array.isArray(value)) return sanitiseLine(value.join(' '), 120);
  }
  return '';
}

function detailOf(args: Readonly<Record<string, unknown>>, text: string): DisplayDetail | undefined {
  const edit = editOf(args);
  if (edit) return { kind: 'diff', diff: lineDiff(edit.path, edit.before, edit.after, { maxLines: 200 }) };
  return text === '' ? undefined : { kind: 'text', text: cutMiddle(text, shownLimit) };
}

/** Parses an edit in the common form: a file, and a text that replaces another or everything. */
function editOf(args: Readonly<Record<string, unknown>>) {
  const path = args.file_path ?? args.filePath ?? args.path;
  const before = args.old_string ?? args.oldString ?? '';
  const after = args.new_string ?? args.newString ?? args.content;
  if (typeof path !== 'string' || typeof before !== 'string' || typeof after !== 'string') return undefined;
  return before.length + after.length > 200_000
    ? undefined
    : { path: sanitiseLine(path, 300), before, after };
}

function effectOf(tool: string): Effect {
  if (/edit|write|replace|patch|create/i.test(tool)) return 'edit';
  if (/bash|shell|exec|terminal|command|run/i.test(tool)) return 'run';
  if (/fetch|web|url|browser/i.test(tool)) return 'fetch';
  return 'read';
}

/** Returns the first sentence. */
function titleOf(prompt: string): string {
  const [line = ''] = prompt.trim().split('\n', 1);
  const [sentence = ''] = /^.{8,}?[.!?](?=\s|$)|^.*/.exec(sanitiseLine(line, 300)) ?? [];
  const title = sentence.replace(/[.\s]+$/, '');
  return title.length > titleLimit ? `${headOf(title, titleLimit - 1)}…` : title || 'Prompt';
}

/** Removes terminal codes and our tags, and shows hidden characters. */
function cleaned(text: string): string {
  return escapeInvisibleText(defuseTags(plainTerminalText(text), 'untrusted'));
}
