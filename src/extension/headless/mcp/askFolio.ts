/*
 * Answers one prompt of another agent with a run of its own. The mode is the user's, and questions go to the client's
 * user.
 */

import type { Ask } from '../../../protocol/asks.ts';
import type { SessionEvent, TurnEnd } from '../../../protocol/events.ts';
import { type EmittedEvent, eventOf, isAgentEvent } from '../../../protocol/fold/agents.ts';
import type { ApprovalMode } from '../../../protocol/intentions.ts';
import { describeTurnEnd } from '../../../protocol/words/turnEnd.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { CommandError } from '../../core/commandError.ts';
import { textOf } from '../../core/history/history.ts';
import { initialMode } from '../../core/policy/initialMode.ts';
import type { Session } from '../../core/session/session.ts';
import type { HeadlessArguments } from '../arguments.ts';
import { openEarlierSession } from '../earlierSession.ts';
import { type HeadlessAgent, openHeadlessAgent } from '../headlessAgent.ts';
import { type AskPermission, decideByForm } from './askClient.ts';

interface FolioRequest {
  readonly prompt: string;
  /** Absolute path without links. */
  readonly folder: string;
  /** Id of an earlier session in this folder. Omitted for a new one. */
  readonly session?: string;
  /** Defaults to the user's mode. */
  readonly mode?: ApprovalMode;
}

export interface FolioAnswer {
  readonly session: string;
  readonly end: TurnEnd['kind'];
  readonly answer: string;
  /** Paths as displayed. */
  readonly changed: readonly string[];
  /** Titles of calls that needed confirmation, or that the user denied. */
  readonly denied: readonly string[];
}

/** Set for processes that a run starts, so that a nested Folio server starts no runs. */
export const nestedRunVariable = 'FOLIO_INSIDE_OF_RUN';

/** From the most restrictive to the least. */
const modes: readonly ApprovalMode[] = ['plan', 'default', 'autoEdit', 'yolo'];

/**
 * Resolves when the turn has ended and nothing of it runs. Throws `CommandError`, `UsageError` or `SettingsError` before any
 * request to the model. An abort stops the turn; its session can be resumed.
 * @param report receives progress lines
 * @param client omitted if nobody can be asked; calls that need confirmation are then denied
 */
export async function askFolio(
  request: FolioRequest,
  args: HeadlessArguments,
  report: (line: string) => void,
  client: AskPermission | undefined,
  warn: (sentence: string) => void,
  signal: AbortSignal,
): Promise<FolioAnswer> {
  const env = { ...process.env, [nestedRunVariable]: '1' };
  const made = await openHeadlessAgent(
    { ...args, workspace: request.folder },
    { interactive: client !== undefined, notify: warn, env },
  );
  try {
    // The user need not confirm the mode, since the command line sets it.
    const { managed, worktreeSettings: settings } = made;
    const known = { get: settings.get, restrictions: managed.restrictions };
    const mode = modeOf(request, initialMode(known, false));
    await made.servers.start(signal);
    signal.throwIfAborted();
    return await answer(request, made, mode, new TurnResults(report, client), signal);
  } finally {
    await made.dispose();
  }
}

function modeOf({ mode }: FolioRequest, ofUser: ApprovalMode): ApprovalMode {
  if (mode === undefined) return ofUser;
  if (modes.indexOf(mode) > modes.indexOf(ofUser))
    throw new CommandError(`The user lets Folio work in the mode ${ofUser} here, which ${mode} goes beyond.`);
  return mode;
}

async function answer(
  { prompt, folder, session: wanted }: FolioRequest,
  { agent }: HeadlessAgent,
  mode: ApprovalMode,
  results: TurnResults,
  signal: AbortSignal,
): Promise<FolioAnswer> {
  const handleEvent = (event: EmittedEvent) => results.handleEvent(event);
  const session =
    wanted === undefined
      ? agent.newSession(handleEvent)
      : await openEarlierSession(agent, wanted, folder, handleEvent);
  const stop = () => void session.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    session.setMode(mode);
    results.begin(session);
    return results.answerOf(session, await sendTo(session, prompt, signal));
  } finally {
    signal.removeEventListener('abort', stop);
    await session.dispose();
  }
}

/** Never runs slash commands: they belong to the user, and change settings. */
async function sendTo(session: Session, prompt: string, signal: AbortSignal): Promise<TurnEnd> {
  signal.throwIfAborted();
  return await session.send(prompt);
}

class TurnResults {
  private readonly report: (line: string) => void;
  private readonly titles = new Map<string, string>();
  private readonly changed = new Map<string, string>();
  private readonly denied: string[] = [];
  private readonly client: AskPermission | undefined;
  private session: Session | undefined;
  private text = '';

  constructor(report: (line: string) => void, client: AskPermission | undefined) {
    this.report = report;
    this.client = client;
  }

  begin(session: Session): void {
    this.session = session;
    this.report(`Session ${session.id}`);
  }

  handleEvent(reported: EmittedEvent): void {
    const event = eventOf(reported);
    if (!isAgentEvent(reported)) this.hearOwn(event);
    switch (event.type) {
      case 'call.requested':
        this.titles.set(event.callId, maskSecrets(event.title));
        break;
      case 'call.asked':
        void this.ask(event.callId, event.ask);
        break;
      case 'model.asked':
        // No user can choose a model here.
        this.session?.decideFallback('stop');
        break;
      case 'call.started':
        this.report(this.titles.get(event.callId) ?? 'Working');
        break;
      case 'call.ended':
        if (event.outcome === 'denied') this.denied.push(this.titles.get(event.callId) ?? event.callId);
        break;
    }
  }

  private async ask(callId: string, ask: Ask): Promise<void> {
    const { client, titles } = this;
    if (!client) return;
    const title = titles.get(callId) ?? '';
    this.report(`Asks: ${title}`);
    const decision = await decideByForm(client, title, ask);
    this.session?.decide(callId, decision);
  }

  answerOf(session: Session, end: TurnEnd): FolioAnswer {
    const answer =
      end.kind === 'rested' ? this.text : [this.text, describeTurnEnd(end)].filter(Boolean).join('\n\n');
    return {
      session: session.id,
      end: end.kind,
      answer: maskSecrets(answer),
      changed: [...this.changed.values()],
      denied: this.denied,
    };
  }

  private hearOwn(event: SessionEvent): void {
    switch (event.type) {
      case 'message.added':
        if (event.message.role === 'model') this.text = textOf(event.message) || this.text;
        break;
      case 'chapter.started':
        this.report(`Chapter: ${maskSecrets(event.title)}`);
        break;
      case 'review.changed':
        if (event.review) this.changed.set(event.path, event.review.shown);
        break;
    }
  }
}
