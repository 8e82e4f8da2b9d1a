/*
 * A call of a tool of an external agent as a call of Folio: its card, and the ask where the agent wants permission. The
 * agent does the work, so all that runs here is the wait for what it reports.
 */

import { isAbsolute } from 'node:path';
import * as z from 'zod';
import type { AskSubject, DisplayDetail } from '../../../protocol/asks.ts';
import { t } from '../../../protocol/language.ts';
import { later } from '../../../protocol/later.ts';
import type { Answer } from '../../../protocol/questions.ts';
import type { Effect } from '../../../protocol/values.ts';
import { abortable } from '../../base/abort.ts';
import { fieldsOf } from '../../base/record.ts';
import { oneLine } from '../../base/text.ts';
import { fileDiff } from '../../review/fileDiff.ts';
import { diffText } from '../export/callMarkdown.ts';
import { type AnyTool, type CallTarget, defineTool, ToolFailure, type ToolResult } from '../tool.ts';
import type { ExternalCall, ExternalDeed, ExternalEdit, ExternalOption } from './externalAgent.ts';
import { lineOf } from './externalTerminal.ts';

const input = later(() => z.record(z.string(), z.unknown()));

/** Rules that name a tool of Folio hold for the same deed of another agent. */
export const toolNames: Readonly<Record<ExternalDeed, string>> = {
  read: 'read_file',
  edit: 'write_file',
  run: 'run_shell_command',
  fetch: 'web_fetch',
  search: 'grep_search',
  other: 'agent_tool',
};

const effects: Readonly<Record<ExternalDeed, Effect>> = {
  read: 'read',
  edit: 'edit',
  run: 'run',
  fetch: 'fetch',
  search: 'read',
  other: 'note',
};

/** Such a call, as far as the agent has reported it. */
export class OwnCall {
  facts: ExternalCall;
  readonly platform: string;
  /** It has a card, or a call of Folio's stands for it. */
  isShown = false;
  /** Its card has this id; empty: there is none. */
  callId = '';
  /** The user has decided on its card. */
  isDecided = false;
  /** Resolves once the agent has reported its end. */
  readonly ended: Promise<void>;
  end: () => void = () => {};
  /** Hears text that is added while it runs. */
  onText: (text: string) => void = () => {};

  /** @param platform its shell runs the agent's commands */
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

  get deed(): ExternalDeed {
    return this.facts.deed ?? 'other';
  }

  get title(): string {
    return oneLine(this.facts.title ?? '', 150) || t('Use a tool');
  }

  get paths(): readonly string[] {
    const { paths = [], edits = [] } = this.facts;
    return [...new Set([...edits.map(({ path }) => path), ...paths])];
  }

  /** The line that it runs, as far as it says so; absent also where a part of it cannot be read. */
  get commandLine(): string | undefined {
    const { command, cmd, args } = fieldsOf(this.facts.args);
    const given = command ?? cmd;
    const more = args ?? [];
    if (!Array.isArray(more)) return undefined;
    const [program, ...words]: readonly unknown[] = [given, more].flat();
    if (!isWord(program) || !words.every(isWord)) return undefined;
    return lineOf({ command: program, args: words, env: [] }, this.platform);
  }

  /** Where it runs that, if it says so. */
  get cwd(): string | undefined {
    const { cwd, workdir } = fieldsOf(this.facts.args);
    const given = cwd ?? workdir;
    return typeof given === 'string' && isAbsolute(given) ? given : undefined;
  }

  /** As it is reported by now: what comes later changes the copy no more. */
  copy(): OwnCall {
    return new OwnCall(this.facts, this.platform);
  }
}

function isWord(word: unknown): word is string {
  return typeof word === 'string' && !word.includes('\0');
}

/** The question of an agent. */
export interface ExternalAsk {
  readonly agent: string;
  readonly cwd: string;
  readonly options: readonly ExternalOption[];
  /** Hears that it may, and what its card showed. */
  readonly allowed: (shown: ShownCall | undefined, answers: readonly Answer[] | undefined) => void;
}

/** A call as the user saw it, whatever the agent has reported since. */
export interface ShownCall {
  readonly call: OwnCall;
  readonly subject: AskSubject;
}

/** Gives a path as the user sees it. */
type ShowPath = (path: string) => Promise<string>;

/** @param ask absent: it runs already, or has ended */
export function externalTool(own: OwnCall, show: ShowPath, ask?: ExternalAsk): AnyTool {
  let shown: ShownCall | undefined;
  return defineTool({
    name: toolNames[own.deed],
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

async function question(own: OwnCall, ask: ExternalAsk, show: ShowPath) {
  const { options } = ask;
  // Such a choice is the point of the call: rules say nothing about it.
  if (!isPlain(options)) {
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

/** To allow and to deny it is all that can be said, once, or for good in several ways. */
export function isPlain(options: readonly ExternalOption[]): boolean {
  const once = options.map(({ kind }) => kind).filter(kind => kind === 'allow' || kind === 'deny');
  return new Set(once).size === once.length;
}

function targetOf(own: OwnCall, { agent, cwd: folder }: ExternalAsk): CallTarget {
  const { deed, paths, commandLine, cwd = folder } = own;
  if (deed === 'run' && commandLine !== undefined) return { kind: 'command', command: commandLine, cwd };
  if ((deed === 'edit' || deed === 'read') && paths.length > 0)
    return { kind: 'paths', paths, access: deed === 'edit' ? 'write' : 'read' };
  const { url } = fieldsOf(own.facts.args);
  if (deed === 'fetch' && typeof url === 'string') return { kind: 'urls', urls: [url] };
  // Nobody knows what it does, as of a tool of a server.
  return { kind: 'mcp', server: `agent:${agent}`, tool: deed };
}

async function subjectOf(own: OwnCall, folder: string, show: ShowPath): Promise<AskSubject> {
  const { deed, commandLine, title, facts, cwd = folder } = own;
  if (deed === 'run' && commandLine !== undefined)
    return { kind: 'command', command: commandLine, cwd, background: false };
  const { edits = [] } = facts;
  if (deed === 'edit' && edits.length > 0) {
    // In one hunk: what the agent does cannot be taken in part.
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

async function resultOf({ facts, deed }: OwnCall, show: ShowPath): Promise<ToolResult> {
  const text = unfenced(facts.text ?? '');
  const first = oneLine(text.split('\n', 1)[0] ?? '', 100);
  if (facts.status === 'failed')
    throw new ToolFailure(text || 'It failed.', () => first || t('The agent could not do it'));
  const [edit] = facts.edits ?? [];
  const shown = edit && { ...edit, path: await show(edit.path) };
  return { text, display: { summary: () => first, detail: detailOf(deed, shown, text) } };
}

/** Agents write output as Markdown; the card shows it as it is. */
function unfenced(text: string): string {
  return /^```[^\n`]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}

function detailOf(
  deed: ExternalDeed,
  edit: ExternalEdit | undefined,
  text: string,
): DisplayDetail | undefined {
  if (deed === 'edit' && edit) return { kind: 'diff', diff: fileDiff(edit.path, edit.before, edit.after) };
  return text.includes('\n') ? { kind: 'text', text } : undefined;
}
