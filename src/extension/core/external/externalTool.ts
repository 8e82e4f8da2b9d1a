/*
 * Shows a tool call of an external agent as a call of Folio: its card, and the request if the agent asks for
 * permission. The agent does the work; this tool only waits for its report.
 */

import { isAbsolute } from 'node:path';
import * as z from 'zod';
import type { AskSubject, DisplayDetail } from '../../../protocol/asks.ts';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import type { Answer } from '../../../protocol/questions.ts';
import type { Effect } from '../../../protocol/values.ts';
import { abortable } from '../../base/abort.ts';
import { fieldsOf } from '../../base/record.ts';
import { oneLine } from '../../base/text.ts';
import { fileDiff } from '../../review/fileDiff.ts';
import { diffText } from '../export/callMarkdown.ts';
import { type AnyTool, type CallTarget, defineTool, ToolFailure, type ToolResult } from '../tool.ts';
import type {
  ExternalAction,
  ExternalCall,
  ExternalEdit,
  ExternalPermissionOption,
} from './externalAgent.ts';
import { formatCommandLine } from './externalTerminal.ts';

const input = lazySchema(() => z.record(z.string(), z.unknown()));

/** Rules for a tool of Folio also apply to the same action of another agent. */
const externalToolNames: Readonly<Record<ExternalAction, string>> = {
  read: 'read_file',
  edit: 'write_file',
  run: 'run_shell_command',
  fetch: 'web_fetch',
  search: 'grep_search',
  other: 'agent_tool',
};

const effects: Readonly<Record<ExternalAction, Effect>> = {
  read: 'read',
  edit: 'edit',
  run: 'run',
  fetch: 'fetch',
  search: 'read',
  other: 'note',
};

/** A call of an external agent's own tool, as far as reported. */
export class ExternalToolCall {
  facts: ExternalCall;
  readonly platform: string;
  /** It has a card, or a call of Folio represents it. */
  isShown = false;
  /** Id of its card; empty: none. */
  callId = '';
  /** The user has decided on its card. */
  isDecided = false;
  /** Resolves once the agent has reported its end. */
  readonly ended: Promise<void>;
  end: () => void = () => {};
  /** Receives text while it runs. */
  onText: (text: string) => void = () => {};

  /** @param platform of the shell for the agent's commands */
  constructor(facts: ExternalCall, platform: string) {
    this.facts = facts;
    this.platform = platform;
    this.ended = new Promise(resolve => {
      this.end = resolve;
    });
  }

  merge(newer: ExternalCall): void {
    const before = this.facts.text ?? '';
    const said = Object.fromEntries(Object.entries(newer).filter(([, value]) => value !== undefined));
    this.facts = { ...this.facts, ...said };
    const text = this.facts.text ?? '';
    if (text !== before) this.onText(text.startsWith(before) ? text.slice(before.length) : `${text}\n`);
    if (this.facts.status === 'done' || this.facts.status === 'failed') this.end();
  }

  get deed(): ExternalAction {
    return this.facts.deed ?? 'other';
  }

  get title(): string {
    return oneLine(this.facts.title ?? '', 150) || t('Use a tool');
  }

  get paths(): readonly string[] {
    const { paths = [], edits = [] } = this.facts;
    return [...new Set([...edits.map(({ path }) => path), ...paths])];
  }

  /** The command line, if reported and readable in full. */
  get commandLine(): string | undefined {
    const { command, cmd, args } = fieldsOf(this.facts.args);
    const given = command ?? cmd;
    const more = args ?? [];
    if (!Array.isArray(more)) return undefined;
    const [program, ...words]: readonly unknown[] = [given, more].flat();
    if (!isWord(program) || !words.every(isWord)) return undefined;
    return formatCommandLine({ command: program, args: words, env: [] }, this.platform);
  }

  /** Its working folder, if reported. */
  get cwd(): string | undefined {
    const { cwd, workdir } = fieldsOf(this.facts.args);
    const given = cwd ?? workdir;
    return typeof given === 'string' && isAbsolute(given) ? given : undefined;
  }

  /** Copies the current report, so that later updates do not change it. */
  copy(): ExternalToolCall {
    return new ExternalToolCall(this.facts, this.platform);
  }
}

function isWord(word: unknown): word is string {
  return typeof word === 'string' && !word.includes('\0');
}

export interface ExternalAsk {
  readonly agent: string;
  readonly cwd: string;
  readonly options: readonly ExternalPermissionOption[];
  /** Called when it is allowed, with the content of its card. */
  readonly allowed: (shown: ShownCall | undefined, answers: readonly Answer[] | undefined) => void;
}

/** A call as the user saw it, regardless of later reports. */
export interface ShownCall {
  readonly call: ExternalToolCall;
  readonly subject: AskSubject;
}

type ShowPath = (path: string) => Promise<string>;

/** @param ask absent: it already runs, or has ended */
export function externalTool(own: ExternalToolCall, show: ShowPath, ask?: ExternalAsk): AnyTool {
  let shown: ShownCall | undefined;
  return defineTool({
    name: externalToolNames[own.deed],
    description: '',
    input,
    effect: effects[own.deed],
    title: () => own.title,
    prepare: async () => {
      if (!ask) return { plan: undefined };
      const call = own.copy();
      const asked = await question(call, ask, show);
      shown = { call, subject: asked.subject };
      return asked;
    },
    run: async (_input, _plan, { write, signal, answers }) => {
      ask?.allowed(shown, answers);
      if (own.facts.status !== 'done' && own.facts.status !== 'failed') own.onText = write;
      await abortable(own.ended, signal);
      return await resultOf(own, show);
    },
  });
}

async function question(own: ExternalToolCall, ask: ExternalAsk, show: ShowPath) {
  const { options } = ask;
  // The call exists to get this choice, so rules do not apply.
  if (!isAllowOrDeny(options)) {
    const field = { kind: 'choice', options: options.map(({ name }) => ({ label: name })), multiple: false };
    const questions = [{ text: own.title, field }];
    const from = { server: ask.agent, message: own.facts.text ?? '' };
    return {
      plan: undefined,
      subject: { kind: 'questions', questions, from } as AskSubject,
      mustAsk: true,
    } as const;
  }
  return { plan: undefined, subject: await subjectOf(own, ask.cwd, show), target: targetOf(own, ask) };
}

/** True if the only choices are to allow or to deny, once or permanently. */
export function isAllowOrDeny(options: readonly ExternalPermissionOption[]): boolean {
  const kinds = options.map(({ kind }) => kind).filter(kind => kind === 'allow' || kind === 'deny');
  return new Set(kinds).size === kinds.length;
}

function targetOf(own: ExternalToolCall, { agent, cwd: folder }: ExternalAsk): CallTarget {
  const { deed, paths, commandLine, cwd = folder } = own;
  if (deed === 'run' && commandLine !== undefined) return { kind: 'command', command: commandLine, cwd };
  if ((deed === 'edit' || deed === 'read') && paths.length > 0)
    return { kind: 'paths', paths, access: deed === 'edit' ? 'write' : 'read' };
  const { url } = fieldsOf(own.facts.args);
  if (deed === 'fetch' && typeof url === 'string') return { kind: 'urls', urls: [url] };
  // Its effect is unknown, as for a tool of a server.
  return { kind: 'mcp', server: `agent:${agent}`, tool: deed };
}

async function subjectOf(own: ExternalToolCall, folder: string, show: ShowPath): Promise<AskSubject> {
  const { deed, commandLine, title, facts, cwd = folder } = own;
  if (deed === 'run' && commandLine !== undefined)
    return { kind: 'command', command: commandLine, cwd, background: false };
  const { edits = [] } = facts;
  if (deed === 'edit' && edits.length > 0) {
    // One hunk, since the agent's edit cannot be accepted in part.
    const context = edits.length === 1 ? 10_000 : 3;
    const diffs = await Promise.all(
      edits.map(async ({ path, before, after }) => fileDiff(await show(path), before, after, { context })),
    );
    const [diff] = diffs;
    if (diff?.hunks.length === 1 && diffs.length === 1) return { kind: 'edit', diff };
    return { kind: 'other', detail: [title, ...diffs.map(diffText)].join('\n\n') };
  }
  const shown = await Promise.all(own.paths.map(show));
  return { kind: 'other', detail: [title, ...shown].join('\n') };
}

async function resultOf({ facts, deed }: ExternalToolCall, show: ShowPath): Promise<ToolResult> {
  const text = unfenced(facts.text ?? '');
  const first = oneLine(text.split('\n', 1)[0] ?? '', 100);
  if (facts.status === 'failed')
    throw new ToolFailure(text || 'It failed.', () => first || t('The agent could not do it'));
  const [edit] = facts.edits ?? [];
  const shown = edit && { ...edit, path: await show(edit.path) };
  return { text, display: { summary: () => first, detail: detailOf(deed, shown, text) } };
}

/** Removes Markdown fences around output. */
function unfenced(text: string): string {
  return /^```[^\n`]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}

function detailOf(
  deed: ExternalAction,
  edit: ExternalEdit | undefined,
  text: string,
): DisplayDetail | undefined {
  if (deed === 'edit' && edit) return { kind: 'diff', diff: fileDiff(edit.path, edit.before, edit.after) };
  return text.includes('\n') ? { kind: 'text', text } : undefined;
}
