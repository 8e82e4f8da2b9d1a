/*
 * One turn of an external agent. Its messages become events of Folio's turn. Its requests to the client become calls,
 * with the same policy, approvals and reviews as a model's calls:
 *
 *   text, thoughts ─► steps               read, write, terminal ─► read_file, write_file, run_shell_command
 *   plan, title ─► to-dos, chapters       a tool of its own ─► a card, and an ask where it asks
 */

import type { SessionEventBody } from '../../../protocol/events.ts';
import { activeTopic } from '../../../protocol/state.ts';
import type { Todo } from '../../../protocol/values.ts';
import { fieldsOf } from '../../base/record.ts';
import { oneLine } from '../../base/text.ts';
import { SerialQueue } from '../agents/serialQueue.ts';
import type { Caller, CallServices, ResultPart } from '../calls/calling.ts';
import { runCalls } from '../calls/scheduler.ts';
import { formatPathIn } from '../folderPaths.ts';
import type { WorkspacePaths } from '../paths.ts';
import type { Transcript } from '../recording/transcript.ts';
import type { AnyTool } from '../tool.ts';
import { BufferedEvents } from './bufferedEvents.ts';
import {
  type ExternalCall,
  type ExternalClient,
  type ExternalCommand,
  type ExternalEdit,
  type ExternalPermissionOption,
  type ExternalPromptPart,
  type ExternalTerminal,
  type ExternalUpdate,
  MissingFileError,
} from './externalAgent.ts';
import { CallTerminal, formatCommandLine } from './externalTerminal.ts';
import {
  type ExternalAsk,
  ExternalToolCall,
  externalTool,
  isAllowOrDeny,
  type ShownCall,
} from './externalTool.ts';
import { allowPermitted, allowReported, attributeWrites, Permits, type PermittedEdit } from './permits.ts';

/** Milliseconds to wait for a permission request after an agent reported a call. */
const askPauseMs = 1_000;

export interface ClientTools {
  /** Platform of the shell for commands. */
  readonly platform: string;
  /** `take` receives the exact text; `null`: the file does not exist. */
  read(take: (text: string | null) => void): AnyTool;
  /** `heard` receives the texts before and after. Equal texts are not written. */
  write(heard: (before: string | null, after: string) => void): AnyTool;
}

export interface ExternalTurnContext {
  readonly agent: string;
  readonly calls: CallServices;
  readonly transcript: Transcript;
  readonly tools: ClientTools;
  readonly paths: Pick<WorkspacePaths, 'show'>;
  readonly folders: readonly string[];
}

/** Differences between a call here and one of the session. */
interface CallHow {
  readonly tool?: AnyTool;
  readonly policy?: CallServices['policy'];
  /** The agent runs it: hooks cannot block it, and its changes are detected around the turn. */
  readonly isReport?: boolean;
  readonly hear?: (event: SessionEventBody) => void;
  /** Decides which of its events are emitted. */
  readonly buffer?: BufferedEvents;
  readonly changes?: CallServices['changes'];
  readonly id?: string;
  readonly signal?: AbortSignal;
}

export class ExternalTurn implements ExternalClient {
  private readonly place: ExternalTurnContext;
  private readonly over = new AbortController();
  private readonly signal: AbortSignal;
  private readonly asking = new SerialQueue();
  readonly permits = new Permits();
  /** Files with a row for reading in this turn, in their content at that time. */
  private readonly shownReads = new Set<string>();
  private readonly own = new Map<string, ExternalToolCall>();
  private readonly running = new Set<Promise<unknown>>();
  private readonly terminals = new Set<CallTerminal>();
  private step: { readonly id: string; hasCalls: boolean } | undefined;
  private steps = 0;
  private said = '';
  private asked = '';
  private hasEnded = false;
  private usesTerminals = false;

  constructor(place: ExternalTurnContext, signal: AbortSignal) {
    this.place = place;
    this.signal = AbortSignal.any([signal, this.over.signal]);
  }

  update(update: Exclude<ExternalUpdate, { kind: 'options' }>): void {
    if (this.hasEnded) return;
    switch (update.kind) {
      case 'text':
      case 'thought':
        this.say(update.kind, update.text);
        return;
      case 'call':
        this.report(update.call);
        return;
      case 'plan':
        this.setPlan(update.todos);
        return;
      case 'title':
        // Some agents use the beginning of the prompt, with its context, as title.
        if (!this.asked.startsWith(oneLine(update.title, 1000).replace(/(?:…|\.\.\.)$/, '')))
          this.beginChapter(update.title);
        return;
    }
  }

  /** Call before the turn's prompt is sent. */
  begin(parts: readonly ExternalPromptPart[]): void {
    this.asked = oneLine(parts.map(part => (part.kind === 'text' ? part.text : '')).join('\n'), 1000);
  }

  async readFile(path: string, range: { readonly line?: number; readonly limit?: number }): Promise<string> {
    let text: string | null | undefined;
    const tool = this.place.tools.read(read => {
      text = read;
    });
    this.standFor(own => own.deed === 'read' && own.paths.includes(path));
    const buffer = new BufferedEvents(this.place.calls.caller.emit);
    const result = await this.call(
      'read_file',
      { file_path: formatPathIn(this.cwd, path) },
      { tool, buffer },
    );
    // Agents read a file before and after each edit.
    if (text === null || (result.ok && this.shownReads.has(path))) buffer.drop();
    else buffer.show();
    if (text === null) throw new MissingFileError(path);
    if (!result.ok || text === undefined) throw new Error(result.text);
    this.shownReads.add(path);
    const { line = 1, limit } = range;
    if (line <= 1 && limit === undefined) return text;
    const lines = text.split(/(?<=\n)/);
    const from = Math.max(0, line - 1);
    return lines.slice(from, limit === undefined ? undefined : from + limit).join('');
  }

  async writeFile(path: string, content: string): Promise<void> {
    const { tools, calls } = this.place;
    const texts: { edit?: ExternalEdit } = {};
    const tool = tools.write((before, after) => {
      texts.edit = { path, before, after };
    });
    this.standFor(own => own.deed === 'edit' && own.paths.includes(path));
    this.shownReads.delete(path);
    const buffer = new BufferedEvents(this.place.calls.caller.emit);
    let permitted: PermittedEdit | undefined;
    const policy = allowPermitted(calls.policy, () => {
      permitted = texts.edit && this.permits.takeEdit(texts.edit);
      if (permitted) buffer.drop();
      return permitted !== undefined;
    });
    const args = { file_path: formatPathIn(this.cwd, path), content };
    const changes = attributeWrites(calls.changes, () => permitted);
    const result = await this.call('write_file', args, { tool, policy, buffer, changes });
    const { edit } = texts;
    // The agent itself has already written it.
    const isDone = edit !== undefined && edit.before === edit.after;
    if (isDone) buffer.drop();
    else buffer.show();
    if (!result.ok && !isDone) throw new Error(result.text);
  }

  async run(command: ExternalCommand): Promise<ExternalTerminal> {
    const line = formatCommandLine(command, this.place.tools.platform);
    this.usesTerminals = true;
    this.standFor(own => own.deed === 'run');
    const cwd = command.cwd ?? this.cwd;
    const policy = allowPermitted(this.place.calls.policy, () => this.permits.takeLine(line, cwd));
    const terminal = new CallTerminal();
    this.terminals.add(terminal);
    const args = { command: line, dir_path: cwd };
    const signal = AbortSignal.any([this.signal, terminal.abort.signal]);
    const call = this.call('run_shell_command', args, {
      policy,
      signal,
      hear: event => terminal.hear(event),
    });
    await Promise.race([terminal.begun, call]);
    // If it never ran, the agent gets the reason.
    if (terminal.exit?.code === null) {
      const result = await call;
      if (!result.ok) throw new Error(result.text);
    }
    return terminal;
  }

  async ask(call: ExternalCall, options: readonly ExternalPermissionOption[]): Promise<string | undefined> {
    if (this.hasEnded) throw new Error('No turn runs.');
    const own = this.report(call, 'asked');
    // A call with a card gets a second one for the question.
    const asked = own.isShown ? new ExternalToolCall({ ...own.facts, status: 'done' }, own.platform) : own;
    if (asked !== own) asked.end();
    return new Promise(resolve => {
      const ask: ExternalAsk = {
        agent: this.place.agent,
        cwd: this.cwd,
        options,
        allowed: (shown, answers) => {
          if (shown) this.permit(shown, asked);
          const taken = answers && options.find(({ name }) => name === answers[0]?.[0]);
          resolve((taken ?? allowing(options))?.id);
        },
      };
      // If it ends without permission, it was denied. Later calls of `resolve` have no effect.
      void this.showCall(asked, ask).then(() =>
        resolve(this.signal.aborted || !isAllowOrDeny(options) ? undefined : denying(options)?.id),
      );
    });
  }

  /** A permission covers only what its card showed. */
  private permit({ call, subject }: ShownCall, asked: ExternalToolCall): void {
    const [edit] = call.facts.edits ?? [];
    const { callId, title, isDecided: isSeen } = asked;
    if (subject.kind === 'edit' && edit) this.permits.addEdit({ edit, callId, title, isSeen });
    if (subject.kind === 'command') this.permits.addLine(subject.command, subject.cwd);
  }

  /** Ends everything open and adds the answer to the history. @param why absent: the agent stopped on its own */
  async end(why?: string): Promise<void> {
    // Later requests would wait for reports that never come.
    this.hasEnded = true;
    for (const own of this.own.values()) own.end();
    if (why !== undefined) this.over.abort(new DOMException(why, 'AbortError'));
    for (const terminal of this.terminals) if (!terminal.exit) terminal.stop();
    while (this.running.size > 0) await Promise.all(this.running);
    this.endStep();
    const { transcript } = this.place;
    const text = this.said.trim();
    if (text !== '')
      transcript.emit({ type: 'message.added', message: { role: 'model', parts: [{ kind: 'text', text }] } });
  }

  private get cwd(): string {
    return this.place.folders[0] ?? '';
  }

  private emit(event: SessionEventBody): void {
    this.place.transcript.emit(event);
  }

  private say(kind: 'text' | 'thought', text: string): void {
    if (text === '') return;
    if (this.step?.hasCalls) this.endStep();
    const stepId = this.beginStep().id;
    if (kind === 'text') this.said += text;
    this.emit({ type: kind === 'text' ? 'text.appended' : 'thought.appended', stepId, text });
  }

  private beginStep() {
    if (this.step) return this.step;
    const { agent, calls } = this.place;
    this.steps++;
    this.step = { id: calls.clock.newId(), hasCalls: false };
    this.emit({ type: 'step.started', stepId: this.step.id, number: this.steps, model: agent });
    return this.step;
  }

  private endStep(): void {
    if (!this.step) return;
    if (this.said !== '' && !this.said.endsWith('\n\n')) this.said += '\n\n';
    this.emit({ type: 'step.ended', stepId: this.step.id, finish: 'STOP', citations: [] });
    this.step = undefined;
  }

  private setPlan(todos: readonly Todo[]): void {
    this.emit({ type: 'todos.changed', todos });
    const current = todos.find(({ status }) => status === 'in_progress');
    if (current) this.beginChapter(current.description);
  }

  private beginChapter(title: string): void {
    const { transcript, calls } = this.place;
    if (title.trim() === '' || activeTopic(transcript.state) === title) return;
    this.emit({ type: 'chapter.started', chapterId: calls.clock.newId(), title });
  }

  /**
   * A read or an edit may be carried out by the client, whose call then represents it. It gets its own card only if it
   * ends without one.
   */
  private report(call: ExternalCall, asked?: 'asked'): ExternalToolCall {
    const own = this.own.get(call.id) ?? new ExternalToolCall(call, this.place.tools.platform);
    this.own.set(call.id, own);
    own.merge(call);
    if (own.facts.hasTerminal) own.isShown = true;
    if (own.isShown || asked) return own;
    const { deed, facts } = own;
    const mayStand = deed === 'read' || deed === 'edit' || (deed === 'run' && this.usesTerminals);
    const isOver = facts.status === 'done' || facts.status === 'failed';
    if (isOver) void this.showCall(own);
    else if (facts.status === 'running' && !mayStand) void this.showSoon(own);
    return own;
  }

  /** Some agents report a running call first and then ask for permission: both share one row. */
  private async showSoon(own: ExternalToolCall): Promise<void> {
    await this.place.calls.clock.sleep(askPauseMs, this.signal).catch(() => {});
    if (!own.isShown && !this.hasEnded) await this.showCall(own);
  }

  /** Shows a call of the agent until it ends. */
  private showCall(own: ExternalToolCall, ask?: ExternalAsk): Promise<ResultPart> {
    own.isShown = true;
    own.callId = this.place.calls.clock.newId();
    if (own.deed === 'read') for (const path of own.paths) this.shownReads.add(path);
    const hear = ({ type }: SessionEventBody) => {
      if (type === 'call.decided') own.isDecided = true;
    };
    const tool = externalTool(own, path => this.place.paths.show(path), ask);
    return this.call(tool.name, fieldsOf(own.facts.args), {
      tool,
      id: own.callId,
      hear,
      isReport: ask === undefined,
    });
  }

  private standFor(isMeant: (own: ExternalToolCall) => boolean): void {
    const found = [...this.own.values()].find(own => !own.isShown && isMeant(own));
    if (found) found.isShown = true;
  }

  private async call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    how: CallHow,
  ): Promise<ResultPart> {
    if (this.hasEnded) throw new Error('No turn runs.');
    const step = this.beginStep();
    step.hasCalls = true;
    const id = how.id ?? this.place.calls.clock.newId();
    const part = { kind: 'call', id, name, args } as const;
    const work = runCalls([part], step.id, this.calling(how), how.signal ?? this.signal);
    this.running.add(work);
    try {
      return (await work)[0]!;
    } finally {
      this.running.delete(work);
    }
  }

  private calling({ tool, policy, isReport, hear, buffer, changes }: CallHow): CallServices {
    const { calls } = this.place;
    const { caller } = calls;
    const emit: Caller['emit'] = event => {
      if (buffer) buffer.take(event);
      else caller.emit(event);
      hear?.(event);
    };
    const beside: Caller['beside'] = {
      // The agent's own tool is running while its client handles a part of it.
      write: work => work(),
      ask: work => this.asking.run(work, this.signal),
    };
    const tools = tool ? new Map([[tool.name, tool]]) : caller.tools;
    if (!isReport)
      return {
        ...calls,
        policy: policy ?? calls.policy,
        changes: changes ?? calls.changes,
        caller: { ...caller, tools, emit, beside },
      };
    return {
      ...calls,
      policy: allowReported(calls.policy),
      changes: {
        filesOf: (writer, scan) => calls.changes.filesOf(writer, scan),
        watch: async (_call, run) => ({ result: await run() }),
      },
      caller: { ...caller, tools, emit, beside, hooks: undefined },
    };
  }
}

function allowing(options: readonly ExternalPermissionOption[]): ExternalPermissionOption | undefined {
  // Prefers single permissions: lasting ones are Folio's, where users can see and revoke them.
  return options.find(({ kind }) => kind === 'allow') ?? options.find(({ kind }) => kind === 'allowAlways');
}

function denying(options: readonly ExternalPermissionOption[]): ExternalPermissionOption | undefined {
  return options.find(({ kind }) => kind === 'deny') ?? options.find(({ kind }) => kind === 'denyAlways');
}
