/*
 * Golden conversations. A text file has a prompt, decisions of the user and scripted answers of the model, then, below
 * `=== events`, the expected events:
 *
 *     file a.txt: hello
 *     prompt: Fix it
 *     --- model
 *     text: Let me look.
 *     call: read_file {"file_path":"a.txt"}
 *     --- model
 *     text: Done.
 *     === events
 *     …
 *
 * `npx vitest run test/conversations -u` writes the lower part again.
 */

import * as z from 'zod';
import type { AgentDefinition } from '../../src/extension/core/agents/agentDefinition.ts';
import { builtInAgents } from '../../src/extension/core/agents/builtInAgents.ts';
import type { Decision } from '../../src/extension/core/calls/approvals.ts';
import { ConsentService } from '../../src/extension/core/consent/consentService.ts';
import { EnvironmentContext } from '../../src/extension/core/context/environmentContext.ts';
import { IdeContext } from '../../src/extension/core/context/ideContext.ts';
import type { InboxServices } from '../../src/extension/core/context/inbox/proposalScanner.ts';
import type { MemorySources } from '../../src/extension/core/context/memoryPlace.ts';
import { SessionMemory } from '../../src/extension/core/context/sessionMemory.ts';
import { estimateText } from '../../src/extension/core/context/tokens.ts';
import type { Hooks } from '../../src/extension/core/hooks/hooks.ts';
import type { BudgetLimit, LimitSettings } from '../../src/extension/core/limitSettings.ts';
import { ModelError, type ModelProvider } from '../../src/extension/core/model.ts';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { Policy } from '../../src/extension/core/policy/policy.ts';
import type { SystemPromptReader } from '../../src/extension/core/prompt/promptReader.ts';
import { ModelAvailability } from '../../src/extension/core/routing/modelAvailability.ts';
import type { ModelRoles } from '../../src/extension/core/routing/modelRoles.ts';
import type { ModelServices } from '../../src/extension/core/routing/modelServices.ts';
import type { Session } from '../../src/extension/core/session/session.ts';
import { SessionManager } from '../../src/extension/core/session/sessionManager.ts';
import type {
  MentionReader,
  SessionForTools,
  SessionServices,
  ToolSource,
} from '../../src/extension/core/session/sessionServices.ts';
import type { SessionSlots } from '../../src/extension/core/session/sessionSlots.ts';
import { type AnyTool, defineReadTool, defineTool, ToolFailure } from '../../src/extension/core/tool.ts';
import type { Editor } from '../../src/extension/platform/editor.ts';
import type { VersionControl } from '../../src/extension/platform/versionControl.ts';
import { askUserTool } from '../../src/extension/tools/askUser.ts';
import { enterPlanModeTool } from '../../src/extension/tools/enterPlanMode.ts';
import { exitPlanModeTool } from '../../src/extension/tools/exitPlanMode.ts';
import { recallChapterTool } from '../../src/extension/tools/recallChapter.ts';
import type { Message, Part, SessionEvent } from '../../src/protocol/events.ts';
import { type EmittedEvent, eventOf, isAgentEvent } from '../../src/protocol/fold/agents.ts';
import type { ApprovalMode } from '../../src/protocol/intentions.ts';
import type { FallbackDecision } from '../../src/protocol/routing.ts';
import { noDiagnostics, noPolicyFiles, nothingSeen } from './absentPorts.ts';
import { onEmitted } from './emitted.ts';
import { FakeVersionControl } from './fakeVersionControl.ts';
import { ManualClock } from './manualClock.ts';
import { MemoryBlobStore } from './memoryBlobStore.ts';
import { MemoryFileSystem } from './memoryFileSystem.ts';
import { MemorySessionStore } from './memorySessionStore.ts';
import { type ScriptedAnswer, ScriptedModel } from './scriptedModel.ts';
import { homeOfTests, loadTestParser } from './shellParser.ts';

export interface World {
  readonly session: Session;
  readonly agent: SessionManager;
  readonly model: ScriptedModel;
  readonly clock: ManualClock;
  readonly store: MemorySessionStore;
  readonly files: Map<string, string>;
  /** File system with plans. */
  readonly disk: MemoryFileSystem;
  /** Events of the session itself. */
  readonly events: SessionEvent[];
  /** All events in order, including those of subagents. */
  readonly reported: EmittedEvent[];
}

export interface WorldOptions {
  readonly answers: readonly ScriptedAnswer[];
  readonly files?: Readonly<Record<string, string>>;
  readonly mode?: ApprovalMode;
  readonly trusted?: boolean;
  readonly editor?: Pick<Editor, 'readContext'>;
  readonly slots?: SessionSlots;
  readonly maxSteps?: number;
  readonly budgets?: readonly BudgetLimit[];
  /** Default: off, since scripts repeat themselves. */
  readonly loopDetection?: boolean;
  readonly nextSpeakerCheck?: boolean;
  readonly classify?: boolean;
  readonly costOf?: ModelServices['costOf'];
  readonly readMentions?: MentionReader['read'];
  readonly outputLimit?: number;
  readonly interactive?: boolean;
  /** Default: none. */
  readonly versionControl?: VersionControl;
  readonly tools?: readonly AnyTool[];
  readonly surfaceTools?: (surface: SessionForTools) => readonly AnyTool[];
  readonly moreTools?: ToolSource['foreign'];
  /** Available subagents. Default: none. */
  readonly agents?: readonly AgentDefinition[];
  /** Access to remote agents. Default: none. */
  readonly remote?: ToolSource['remote'];
  /** Checks after edits. Default: none. */
  readonly checkWork?: ToolSource['checkWork'];
  readonly readPrompt?: SystemPromptReader['read'];
  /** Replaces the scripted model. */
  readonly provider?: ModelProvider;
  readonly model?: string;
  /** Models of `auto`, and fallbacks. Default: none. */
  readonly models?: Partial<ModelRoles>;
  readonly availability?: ModelAvailability;
  readonly maxAttempts?: number;
  /** Hooks, which need a real folder. */
  readonly hooks?: Hooks;
  readonly folder?: string;
  readonly forgetEditorContext?: () => void;
  /** Context limit in tokens. */
  readonly contextLimit?: number;
  readonly limitOf?: ModelServices['contextLimit'];
  readonly compressionThreshold?: number;
  /** Where proposals of sessions go; by default nowhere. */
  readonly inbox?: InboxServices;
  /** Modes that an organisation allows; by default all. */
  readonly allowedModes?: readonly ApprovalMode[];
  /** Folder of memory files. Default: none. */
  readonly memoryPlace?: MemorySources;
}

/** Makes a session in memory, with four small tools that read, write, run and open chapters. */
export function makeWorld(options: WorldOptions): World {
  const model = new ScriptedModel(options.answers);
  const clock = new ManualClock();
  const store = new MemorySessionStore();
  const files = new Map(Object.entries(options.files ?? {}));
  const events: SessionEvent[] = [];
  const reported: EmittedEvent[] = [];
  const disk = new MemoryFileSystem();
  const blobs = new MemoryBlobStore();
  const limits: LimitSettings = {
    budgets: [{ kind: 'steps', scope: 'turn', limit: options.maxSteps ?? 100 }, ...(options.budgets ?? [])],
    loopDetection: options.loopDetection ?? false,
    nextSpeakerCheck: options.nextSpeakerCheck ?? false,
    classify: options.classify ?? false,
    maxAttempts: options.maxAttempts ?? 10,
    outputLength: options.outputLimit ?? 40_000,
    compressionThreshold: options.compressionThreshold ?? 0.5,
    get modes() {
      return options.allowedModes;
    },
  };
  const models: ModelServices = {
    availability: options.availability ?? new ModelAvailability(clock),
    provider: () => options.provider ?? model,
    chain: () => ({ strong: '', fast: '', others: [], ...options.models }),
    resolve: name => name,
    contextLimit: options.limitOf ?? (() => options.contextLimit ?? 1_000_000),
    describeUpgrade: async model => `More quota for ${model}: example.org.`,
    costOf: options.costOf ?? (() => undefined),
  };
  const policy = () =>
    new Policy({
      trusted: () => options.trusted ?? true,
      interactive: options.interactive ?? true,
      gate: new WorkspacePaths(disk, ['/project']),
      analyse: async command => (await loadTestParser()).analyse(command, 'bash'),
      files: noPolicyFiles,
      consent: new ConsentService(nothingSeen, () => options.trusted ?? true),
      home: homeOfTests,
      workspace: '/project',
      notify: () => {},
    });
  const services = (): SessionServices => ({
    workspace: {
      folders: [options.folder ?? '/project'],
      homeFolders: [options.folder ?? '/project'],
      files: disk,
      versionControl: options.versionControl ?? new FakeVersionControl(),
      diagnostics: noDiagnostics,
      slots: options.slots,
    },
    storage: { sessions: store, blobs, inbox: options.inbox },
    models,
    tools: {
      builtIn: surface => [
        ...smallTools(files, surface),
        ...(options.tools ?? []),
        ...(options.surfaceTools?.(surface) ?? []),
      ],
      foreign: options.moreTools,
      remote: options.remote,
      checkWork: options.checkWork,
      agents: options.agents && (() => new Map(options.agents!.map(kind => [kind.name, kind]))),
    },
    prompt: { read: options.readPrompt ?? readSmallPrompt },
    environmentContext: makeEnvironmentContext(disk, options),
    mentions: { read: options.readMentions ?? (async () => ({ parts: [], mentions: [] })) },
    policy: policy(),
    hooks: options.hooks,
    limits: () => limits,
    clock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const agent = new SessionManager(services, {
    model: () => options.model ?? 'scripted',
    mode: () => options.mode ?? 'default',
  });
  const session = agent.newSession(each => {
    reported.push(each);
    if (!isAgentEvent(each)) events.push(each);
  });
  return { session, agent, model, clock, store, files, disk, events, reported };
}

const readSmallPrompt: SystemPromptReader['read'] = async () => () => 'system prompt';

const noEditor: Pick<Editor, 'readContext'> = { readContext: () => ({ open: [] }) };

/** Returns an environment context, by default without an editor, and without a workspace tree and, by default, memory files. */
function makeEnvironmentContext(
  disk: MemoryFileSystem,
  { editor = noEditor, forgetEditorContext, memoryPlace }: WorldOptions,
): EnvironmentContext {
  const tree = {
    next: async () => undefined,
    describe: async () => undefined,
    reset: forgetEditorContext ?? (() => {}),
  };
  const place = memoryPlace ?? { home: homeOfTests, names: [], folders: [], extra: [], trusted: false };
  const memory = new SessionMemory(disk, () => place, 'key');
  return new EnvironmentContext(editor, new IdeContext([]), tree, memory);
}

function smallTools(files: Map<string, string>, surface: SessionForTools): readonly AnyTool[] {
  return [
    defineTool({
      name: 'create_new_topic',
      description: 'Starts a chapter.',
      input: () => z.object({ title: z.string(), summary: z.string().optional() }),
      effect: 'note',
      first: true,
      title: ({ title }) => title,
      prepare: async () => ({ plan: undefined }),
      run: async ({ title, summary }) => {
        surface.startTopic(title, summary);
        return { text: `Topic changed to: "${title}"`, display: { summary: () => title } };
      },
    }),
    defineReadTool({
      name: 'read_file',
      description: 'Reads a file.',
      input: () => z.object({ file_path: z.string() }),
      title: ({ file_path }) => `Read ${file_path}`,
      run: async ({ file_path }) => {
        const text = files.get(file_path);
        if (text === undefined) throw new ToolFailure(`There is no file ${file_path}.`, () => 'No such file');
        return { text, display: { summary: () => `${text.length} characters` } };
      },
    }),
    defineTool({
      name: 'write_file',
      description: 'Writes a file.',
      input: () => z.object({ file_path: z.string(), content: z.string() }),
      effect: 'edit',
      title: ({ file_path }) => `Write ${file_path}`,
      prepare: async ({ file_path, content }) => ({
        plan: undefined,
        target: { kind: 'paths', paths: [file_path], access: 'write' },
        proposal: {
          path: file_path,
          before: files.get(file_path) ?? null,
          after: content,
          format: { encoding: 'utf8', bom: false },
        },
      }),
      run: async ({ file_path }, _plan, call) => {
        files.set(file_path, call.proposal!.after);
        const changed = call.proposal!.agentText !== undefined;
        return {
          text: changed ? 'Written as the user changed it.' : 'Written.',
          display: { summary: () => 'Written' },
        };
      },
    }),
    defineTool({
      name: 'run_shell_command',
      description: 'Runs a command.',
      input: () => z.object({ command: z.string() }),
      effect: 'run',
      title: ({ command }) => `Run ${command}`,
      prepare: async ({ command }) => ({
        plan: undefined,
        subject: { kind: 'command', command, cwd: '/project', background: false },
        target: { kind: 'command', command, cwd: '/project' },
      }),
      run: async ({ command }, _plan, call) => {
        call.write(`$ ${command}\n`);
        if (command === 'hang') {
          await new Promise((_, reject) =>
            call.signal.addEventListener('abort', () => reject(call.signal.reason)),
          );
        }
        return { text: `ran ${command}`, display: { summary: () => 'Exit code 0' } };
      },
    }),
  ];
}

/** Returns the tools that ask the user. */
export function personalTools(surface: SessionForTools, interactive = true): readonly AnyTool[] {
  const ports = { ...surface, interactive };
  return [askUserTool(ports), enterPlanModeTool(ports), exitPlanModeTool(ports)];
}

/** Plays a golden file and returns its expected content. */
export async function playConversation(file: string): Promise<string> {
  const script = file.split('=== events')[0]!.trimEnd();
  const { head, answers } = parseScript(script);
  const files = Object.fromEntries(
    head.filter(([key]) => key.startsWith('file ')).map(([k, v]) => [k.slice(5), v]),
  );
  const value = (key: string) => head.find(([name]) => name === key)?.[1];
  const decisions = head.filter(([key]) => key === 'decide').map(([, text]) => parseDecision(text));
  const fallbacks = head.filter(([key]) => key === 'fallback').map(([, text]) => text);
  const interactive = value('interactive') !== 'no';
  const world = makeWorld({
    answers,
    files,
    mode: value('mode') as ApprovalMode | undefined,
    trusted: value('trusted') !== 'no',
    interactive,
    maxSteps: value('max steps') ? Number(value('max steps')) : undefined,
    contextLimit: value('context limit') ? Number(value('context limit')) : undefined,
    model: value('model'),
    // Declared only if used, like the tools below.
    ...(script.includes('invoke_agent') && { agents: builtInAgents }),
    // For `auto`, or a model with fallbacks.
    ...(value('models') && { models: chainOf(value('models')!) }),
    surfaceTools: surface => [
      recallChapterTool({ ...surface, estimateTokens: estimateText }),
      // Declared only if called, since declarations count as tokens.
      ...(/ask_user|_plan_mode/.test(script) ? personalTools(surface, interactive) : []),
    ],
  });
  const { session } = world;
  onEmitted(session, event => {
    if (event.type === 'call.asked') {
      const decision = decisions.shift();
      if (!decision) throw new Error(`The script decides nothing for ${event.callId}.`);
      const { subject } = event.ask;
      setImmediate(async () => {
        if (decision === 'stop') return session.stop();
        if (subject.kind === 'plan') await changePlan(world.disk, subject.path, value('plan edit'));
        session.decide(event.callId, decision);
      });
    }
    if (event.type === 'model.asked') {
      const decision = fallbacks.shift();
      if (!decision) throw new Error('The script decides nothing for a model that failed.');
      setImmediate(() => session.decideFallback(decision as FallbackDecision));
    }
    if (value('stop at') === event.type) setImmediate(() => void session.stop());
  });
  for (const [key, text] of head) {
    if (key === 'compression') await decideCompression(session, text);
    if (key !== 'prompt' && key !== 'retry') continue;
    const end = key === 'prompt' ? await session.send(text) : await session.retry();
    if (end.kind === 'failed' && end.trouble.kind === 'bug') throw new Error(end.trouble.message);
  }
  await session.dispose();
  const parts = [script, '=== events', ...world.reported.map(describeEvent), '=== files'];
  for (const [path, text] of world.files) parts.push(`${path}: ${JSON.stringify(text)}`);
  parts.push('=== last request', ...(world.model.requests.at(-1)?.messages ?? []).map(describeMessage));
  return `${parts.join('\n')}\n`;
}

/** Parses `strong fast others…`. */
function chainOf(names: string): ModelRoles {
  const [strong = '', fast = strong, ...others] = names.split(' ');
  return { strong, fast, others };
}

/** Handles `compression: propose`, and `apply`, `discard` or `undo` of the newest. */
async function decideCompression({ compressions, state }: Session, what: string): Promise<void> {
  const open = state.compression?.id ?? '';
  if (what === 'propose') await compressions.propose();
  else if (what === 'apply') compressions.apply(open);
  else if (what === 'discard') compressions.discard(open);
  else if (what === 'undo') compressions.undo(state.compressions.at(-1)?.id ?? '');
  else throw new Error(`A compression cannot be decided so: ${what}`);
}

function parseScript(script: string): {
  head: readonly (readonly [string, string])[];
  answers: ScriptedAnswer[];
} {
  const [top, ...blocks] = script.split(/^--- model\n/m);
  const lines = (top ?? '').split('\n').filter(line => line.trim() !== '' && !line.startsWith('#'));
  const head = lines.map(line => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const;
  });
  let calls = 0;
  return { head, answers: blocks.map(block => parseAnswer(block, () => `call${++calls}`)) };
}

function parseAnswer(block: string, nextId: () => string): ScriptedAnswer {
  const parts: Part[] = [];
  for (const line of block.split('\n').filter(Boolean)) {
    const [, kind, text] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (kind === 'text') parts.push({ kind: 'text', text: text! });
    else if (kind === 'thought') parts.push({ kind: 'thought', text: text! });
    else if (kind === 'call') {
      const [, name, args] = /^(\S+) (.*)$/.exec(text!)!;
      parts.push({ kind: 'call', id: nextId(), name: name!, args: JSON.parse(args!) });
    } else if (kind === 'error') {
      const [, errorKind, retry, message] = /^(\w+) (retry|final) (.*)$/.exec(text!)!;
      const partial = parts.map(part => (part.kind === 'text' ? part.text : '')).join('');
      const error = new ModelError(errorKind as ModelError['kind'], () => message!, {
        retryable: retry === 'retry',
      });
      return { error, partial };
    } else if (kind === 'hang') {
      return { hang: true, partial: parts.map(part => (part.kind === 'text' ? part.text : '')).join('') };
    } else throw new Error(`A line of the script is not understood: ${line}`);
  }
  return { parts };
}

function parseDecision(text: string): Decision | 'stop' {
  const [kind, ...rest] = text.split(' ');
  const said = rest.join(' ');
  if (kind === 'stop') return 'stop';
  if (kind === 'deny') return { kind, reason: said };
  if (kind === 'edited') return { kind, text: said };
  if (kind === 'plan') return { kind, mode: said === 'autoEdit' ? said : 'default' };
  if (kind === 'answers') return { kind, answers: said.split('|').map(answersOf) };
  return kind === 'always' ? { kind, choice: 'session' } : { kind: 'once' };
}

/** Parses answers: `one; two` are two, an empty text is none. */
function answersOf(text: string): readonly string[] {
  return text
    .split(';')
    .map(answer => answer.trim())
    .filter(Boolean);
}

/** Applies `plan edit: old => new` to a plan that contains the old text. */
async function changePlan(disk: MemoryFileSystem, path: string, edit = ''): Promise<void> {
  const [old, next] = edit.split(' => ');
  const { text, format } = await disk.readText(path);
  if (old && next && text.includes(old)) await disk.writeText(path, text.replace(old, next), format);
}

function describeEvent(reported: EmittedEvent): string {
  const { seq, at: _at, type, ...rest } = eventOf(reported);
  const of = isAgentEvent(reported) ? `${reported.callId} ${reported.agent}: ` : '';
  return `${seq} ${of}${type} ${JSON.stringify(rest)}`;
}

function describeMessage(message: Message): string {
  const parts = message.parts.map(part => {
    if (part.kind === 'text' || part.kind === 'thought') return `${part.kind} ${JSON.stringify(part.text)}`;
    if (part.kind === 'call') return `call ${part.id} ${part.name} ${JSON.stringify(part.args)}`;
    if (part.kind === 'result')
      return `result ${part.id} ${part.name} ${part.ok ? 'ok' : 'not ok'} ${JSON.stringify(part.text)}`;
    return `blob ${part.blob.mimeType}`;
  });
  return `${message.role}: ${parts.join(' | ')}`;
}
