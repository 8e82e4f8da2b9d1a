/* Slash commands without a window: they print, or name the alternative. */

import type { CompressionEnd } from '../../protocol/compression.ts';
import type { TurnEnd } from '../../protocol/events.ts';
import { modeWords } from '../../protocol/words/modeWords.ts';
import { describeSystem } from '../base/describeSystem.ts';
import { sanitiseLine } from '../base/text.ts';
import { CommandError } from '../core/commandError.ts';
import type {
  AboutFacts,
  CommandContext,
  CommandDialogs,
  CommandPrompt,
  CommandSession,
  CommandView,
  CommandViews,
  ListedEntry,
  ListedKind,
  RewindIntent,
} from '../core/commands/commands.ts';
import { confirmationMarkdown } from '../core/commands/extensions/agree.ts';
import type { CommandTable } from '../core/commands/table/commandTable.ts';
import type { TemplateServices } from '../core/commands/template/templateSources.ts';
import { formatCommandLines } from '../core/commands/texts/describeCommands.ts';
import { describeMemory } from '../core/context/describeMemory.ts';
import { readMemory } from '../core/context/memory.ts';
import { sessionMarkdown } from '../core/export/sessionMarkdown.ts';
import type { Session } from '../core/session/session.ts';
import { sessionTemplateServices } from '../core/session/sessionTemplateServices.ts';
import { describeRewind } from './describeRewind.ts';
import { includesFolder, rewindSession, rewindsFiles } from './earlierSession.ts';
import type { HeadlessAgent } from './headlessAgent.ts';
import { makeSavedChats } from './runChats.ts';

/** Context of a prompt or a slash command in a headless run. */
export interface RunContext {
  readonly made: HeadlessAgent;
  /** Prints the output of one of Folio's commands, which is no answer of the model. */
  readonly notify: (text: string) => void;
  /** Prints a warning, which is neither output nor answer. */
  readonly warn: (sentence: string) => void;
  readonly signal: AbortSignal;
  /** Asks whether a template's commands may run. Omitted if no user is present. */
  readonly askCommands?: TemplateServices['ask'];
  /** Asks the user for confirmation. Omitted if no user is present. */
  readonly confirm?: CommandDialogs['confirm'];
}

/** Folio's commands that do nothing without a window. */
export const windowOnlyCommands: ReadonlySet<string> = new Set([
  'background',
  'clear',
  'rewind',
  'copy',
  'settings',
  'auth',
  'effort',
]);

/** Sends a prompt, or runs a command. */
export type AnswerPrompt = (session: Session, runContext: RunContext) => Promise<TurnEnd>;

export interface SessionRunContext extends RunContext {
  readonly session: Session;
  readonly table: CommandTable;
}

/** @param ended called with the end of a turn or compression of the command */
export function makeCommandContext(run: SessionRunContext, ended: (end: TurnEnd) => void): CommandContext {
  const { made } = run;
  return {
    files: made.place.files,
    place: () => made.memorySources(),
    user: nobody(run),
    session: sessionOf(run, ended),
    models: {
      known: () => made.knownModels,
      resolve: name => made.resolveModel(name),
      refuse: model => made.refuseModel(model),
      setEffort: async () => refuse(elsewhere.effort),
    },
    views: viewsOf(run),
    installed: {
      extensions: () => made.extensions(),
      servers: () => made.serverAccess(),
      hooks: async () => made.hooks,
      inbox: async () => made.inbox,
      worktrees: async () => (made.trusted ? made.worktreeAccess(run.session) : refuse(elsewhere.worktree)),
      comparisons: async () => refuse(elsewhere.compare),
    },
  };
}

function refuse(sentence: string): never {
  throw new CommandError(sentence);
}

/** Without a user, it prints messages and asks nothing. */
function nobody({ notify, warn, signal, confirm }: SessionRunContext): CommandDialogs {
  return {
    show: async (_title, text) => notify(text),
    answer: notify,
    notify: warn,
    confirm:
      confirm ??
      (async question => {
        notify(confirmationMarkdown(question));
        return 'nobody';
      }),
    fillForm: async () => 'nobody',
    working: (_title, work) => work(signal),
    openFile: async () => {},
    copyText: async () => refuse(elsewhere.clipboard),
  };
}

function viewsOf(run: SessionRunContext): CommandViews {
  const { session, table, made, notify } = run;
  return {
    open: view => printView(view, run),
    report: title => printReport(title, run),
    showMemory: async () =>
      notify(
        describeMemory(
          await readMemory(made.place.files, made.memorySources()),
          session.environmentContext.memory.ofFolders,
        ),
      ),
    showPage: async () => false,
    showCommands: async () => notify(formatCommandLines(table.commands)),
    about: () => about(run),
    list: kind => list(kind, run),
  };
}

function sessionOf(run: SessionRunContext, ended: (end: TurnEnd) => void): CommandSession {
  const { session, made, notify, warn } = run;
  return {
    state: () => session.state,
    send: async prompt => ended(await send(session, prompt)),
    setMode: async mode => session.setMode(mode),
    setModel: async model => session.setModel(model),
    compress: async () => ended(await compress(session, notify)),
    startNew: async () => notify('Every run without --resume begins a new session.'),
    resume: words => printSessions(words, run),
    rewind: intent => rewind(intent, run),
    chats: makeSavedChats(session, made, notify),
    // Without a user the policy denies such commands first, so this question does not occur.
    template: signal =>
      sessionTemplateServices(session, { signal, notify: warn, ask: run.askCommands ?? (async () => 'no') }),
    addFolders: async paths => {
      const problem = await made.addFolders(paths);
      if (problem !== undefined) refuse(problem);
      notify(`${paths.join(', ')}: open to Folio for the rest of this run.`);
    },
    folderMemory: () => session.environmentContext.memory.ofFolders,
  };
}

function about({ session, made }: SessionRunContext): AboutFacts {
  return {
    version: process.env.FOLIO_VERSION ?? 'unbuilt',
    host: 'no window',
    system: describeSystem(),
    provider: made.provider,
    model: session.state.model,
    trusted: made.trusted,
    managed: made.managed.managedNames ?? [],
  };
}

/** Why it is unavailable here, and the alternative. */
const elsewhere = {
  model: 'Say which model: /model NAME, or run with --model NAME.',
  effort: '/effort needs a window, which keeps it. Here run with --effort low, medium, high or max.',
  mode: 'Say which mode: /mode NAME, or run with --approval-mode NAME.',
  rewind: '/rewind needs a window. Here use --rewind N together with --resume.',
  settings:
    '/settings needs a window. Here settings stand in ~/.gemini/settings.json, or in a file that --settings names.',
  connect:
    '/auth needs a window. Here set GEMINI_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY, or sign in to Google Cloud or AWS and run with --provider vertex or bedrock.',
  background: '/background needs a window. Here run with --background.',
  signOut: '/auth signout needs a window. Here take the key out of the environment.',
  worktree: 'The workspace is restricted, so no worktree is made of it.',
  compare:
    '/compare needs a window. Here run the prompt once for each model, with --worktree and --model NAME.',
  clipboard: '/copy needs a window. Here the answer is what the run prints.',
} as const;

/** Without a user to ask, it rewinds both files and conversation by default. */
async function rewind(
  { number, scope = 'both' }: RewindIntent,
  { session, made, notify }: SessionRunContext,
): Promise<void> {
  const request = { kind: 'to', prompt: number, scope } as const;
  if (!made.trusted && rewindsFiles(request))
    refuse(`The workspace is restricted, so no file is written: use /restore ${number} conversation.`);
  notify(describeRewind(await rewindSession(session, request)));
}

async function printView(view: CommandView, run: SessionRunContext): Promise<void> {
  const { session, notify, made } = run;
  if (view === 'export') return printSession(session, notify);
  if (view === 'history') return printSessions('', run);
  if (view === 'hooks') refuse('Say what of them: /hooks list shows them.');
  if (view === 'permissions') notify(await describePermissions(session));
  else if (view === 'servers') notify(describeServers(made));
  else refuse(elsewhere[view]);
}

/** Prints the workspace's sessions, each with the command that resumes it. */
async function printSessions(words: string, { made, session, notify }: SessionRunContext): Promise<void> {
  const lines: string[] = [];
  for await (const { sessionId, title, changedAt, folders } of made.agent.catalog.placed(words)) {
    if (sessionId === session.id || !(await includesFolder(folders, made.workspace))) continue;
    lines.push(`--resume ${sessionId}  ${new Date(changedAt).toISOString()}  ${sanitiseLine(title, 100)}`);
  }
  if (lines.length === 0)
    refuse('No other session of this workspace has these words in its title, chapters or prompts.');
  notify(lines.join('\n'));
}

async function printReport(title: string, run: SessionRunContext): Promise<void> {
  const { session, made, notify } = run;
  const { formatBugReport } = await import('../core/commands/texts/formatBugReport.ts');
  notify(formatBugReport({ title, ...about(run), settings: {}, state: session.state, home: made.home }));
}

function printSession({ state }: Session, notify: (text: string) => void): void {
  if (state.title === '') refuse('Nothing was said in this session yet: export with --resume.');
  notify(sessionMarkdown(state));
}

async function describePermissions({ policy }: Session): Promise<string> {
  const listed = await policy.list();
  const words = new Map<string, string>(modeWords().map(({ value, label }) => [value, label]));
  return listed
    .map(({ subject, decision, origin, modes }) => {
      const held = modes ? `; only in ${modes.map(mode => words.get(mode) ?? mode).join(', ')}` : '';
      return `${decision.padEnd(6)} ${subject} (${origin}${held})`;
    })
    .join('\n');
}

function describeServers({ additions, servers }: Pick<HeadlessAgent, 'additions' | 'servers'>): string {
  const configured = additions.all.list.filter(({ item }) => item.kind === 'server');
  if (configured.length === 0) return 'No servers are configured.';
  const running = servers.present?.list(path => path) ?? [];
  const reasons = new Map(
    running.flatMap(({ name, status }) =>
      'reason' in status ? [[name, sanitiseLine(status.reason, 300)] as const] : [],
    ),
  );
  return configured
    .map(({ item: { name, detail }, state }) => {
      const reason = state === 'enabled' ? reasons.get(name) : undefined;
      const why = reason === undefined ? '' : `  does not run: ${reason}`;
      return `${name.padEnd(24)} ${state.padEnd(9)} ${detail}${why}`;
    })
    .join('\n');
}

async function list(
  kind: ListedKind,
  { session, made: { additions } }: SessionRunContext,
): Promise<readonly ListedEntry[]> {
  switch (kind) {
    case 'tool':
      return session.tools;
    case 'skill':
      return [...additions.skills.entries.values()];
    case 'agent':
      return [...additions.agentDefinitions.values()].map(({ name, description }) => {
        return { name, description };
      });
  }
}

async function send(
  session: Session,
  { shown, wording, attachments = [], model }: CommandPrompt,
): Promise<TurnEnd> {
  const before = session.state.model;
  if (model !== undefined) session.setModel(model);
  try {
    return await session.send(shown, attachments, wording);
  } finally {
    session.setModel(before);
  }
}

/** Without a user to review a proposal, it takes effect at once. */
async function compress(session: Session, notify: (text: string) => void): Promise<TurnEnd> {
  let ended: CompressionEnd | undefined;
  const subscription = session.onEvent(event => {
    if (event.type === 'compression.ended') ended = event.end;
  });
  try {
    await session.compressions.propose();
  } finally {
    subscription.dispose();
  }
  const { compression } = session.state;
  if (compression?.status === 'proposed') {
    const { before, after } = compression.plan.tokens;
    session.compressions.apply(compression.id);
    notify(`Compressed from ${before.toLocaleString('en')} to ${after.toLocaleString('en')} tokens.`);
    return { kind: 'rested' };
  }
  if (ended?.kind !== 'failed') return { kind: 'stopped' };
  return { kind: 'failed', trouble: { kind: 'compression', message: ended.message } };
}
