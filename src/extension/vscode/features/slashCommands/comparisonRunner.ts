/* The newest comparison of a window: its attempts, and the user's actions on them. Loaded on first use. */

import { type Memento, window } from 'vscode';
import type { Attachment } from '../../../../protocol/intentions.ts';
import { t } from '../../../../protocol/language.ts';
import type { AttemptFacts } from '../../../../protocol/panel/comparison.ts';
import type { ToWebview } from '../../../../protocol/panel/messages.ts';
import { describeModel } from '../../../../protocol/words/modelWords.ts';
import type { Worktree } from '../../../../protocol/worktree.ts';
import { messageOf } from '../../../base/errors.ts';
import type { ComparisonAccess, ComparisonRequest } from '../../../core/commands/comparisonAccess.ts';
import { compareCommandPrefix } from '../../../core/commands/families/compareCommand.ts';
import type { Session } from '../../../core/session/session.ts';
import { findTestCall, summariseAttempt } from '../../../core/worktrees/summariseAttempt.ts';
import type { Log } from '../../../platform/log.ts';
import type { Worktrees } from '../../../platform/worktrees.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { ModelConnection } from '../../modelConnection.ts';
import type { PanelView } from '../../panel/panelView.ts';
import type { PromptCommands } from './promptCommands.ts';

/** Key in the workspace's memory. */
const memoryKey = 'folio.comparison';
/** Milliseconds between updates. Working attempts change many times a second. */
const tellEveryMs = 500;

interface KeptComparison {
  readonly prompt: string;
  readonly attempts: readonly KeptAttempt[];
}

interface KeptAttempt {
  readonly sessionId: string;
  readonly model: string;
  readonly worktree: Worktree;
}

export interface ComparisonHost {
  readonly session: ActiveSession;
  readonly panel: Pick<PanelView, 'notify' | 'show' | 'feed' | 'focus'>;
  readonly commands: Pick<PromptCommands, 'run'>;
  readonly connection: Pick<ModelConnection, 'models'>;
  readonly worktrees: Worktrees;
  readonly memory: Memento;
  readonly log: Log;
}

/** Starts comparisons. Remembers only the newest one. */
export class ComparisonRunner {
  private readonly host: ComparisonHost;
  /** Last known facts of each session, which may be closed once it rests. */
  private readonly facts = new Map<string, AttemptFacts>();
  private timer: NodeJS.Timeout | undefined;
  private lastTold = '';

  constructor(host: ComparisonHost) {
    this.host = host;
    host.session.opened.onEvent(({ session }) => {
      if (this.kept?.attempts.some(({ sessionId }) => sessionId === session.id)) this.tellSoon();
    });
  }

  /** @param takeAttachments returns attachments for the prompt */
  access(takeAttachments: () => readonly Attachment[]): ComparisonAccess {
    return {
      pickModels: () => this.pickModels(),
      start: request => this.start(request, takeAttachments),
      show: () => this.show(),
    };
  }

  /** Sends the state of the attempts to the pages. Reads closed ones from disk. */
  async list(): Promise<void> {
    for (const { sessionId } of this.kept?.attempts ?? [])
      if (!this.facts.has(sessionId) && !this.opened.find(sessionId)) await this.read(sessionId);
    await this.opened.trim(this.host.session.present);
    this.lastTold = '';
    this.tell();
  }

  /** Lets the user choose models and write the task in the composer. */
  async choose(): Promise<void> {
    const { panel } = this.host;
    const models = await this.pickModels();
    if (!models) return;
    const text = compareCommandPrefix(models);
    const hint = t('Add the task after it.');
    panel.feed.deliver({ type: 'composer.filled', text, attachments: [], hint });
    await panel.focus();
  }

  /** Called on the user's request. */
  async showNewest(): Promise<void> {
    if (!(await this.show())) void window.showInformationMessage(t('No comparison yet.'));
  }

  private async pickModels(): Promise<readonly string[] | undefined> {
    const items = this.host.connection.models.map(model => ({
      label: model.label,
      description: model.id,
      detail: describeModel(model),
      id: model.id,
    }));
    const picked = await window.showQuickPick(items, {
      title: t('Compare models'),
      placeHolder: t('Choose two to four'),
      canPickMany: true,
      matchOnDescription: true,
    });
    return picked && picked.length > 0 ? picked.map(({ id }) => id) : undefined;
  }

  /** Brings its changes home, where they await review beside those of other attempts. */
  async take(sessionId: string): Promise<void> {
    const { session, panel, commands } = this.host;
    await session.switchTo(sessionId);
    await panel.show('transcript');
    const refusal = await commands.run('/worktree apply');
    if (refusal !== undefined) void window.showWarningMessage(refusal);
  }

  /** Runs the project's tests in the worktree of each resting attempt, one after the other. */
  async runTests(): Promise<void> {
    for (const { sessionId } of this.kept?.attempts ?? []) {
      const session = await this.read(sessionId);
      if (!session || session.busy) continue;
      await session.getReady();
      const tests = findTestCall(session.tools);
      if (!tests) {
        void window.showWarningMessage(
          t(
            'Folio does not know how this project runs its tests. The setting {0} can say it.',
            'folio.testCommand',
          ),
        );
        return;
      }
      await session.runOwnCall(t('Run the tests'), tests);
    }
  }

  /** Ends the session and removes its worktree, after confirmation. */
  async discard(sessionId: string): Promise<void> {
    const { kept } = this;
    const attempt = kept?.attempts.find(each => each.sessionId === sessionId);
    if (!kept || !attempt) return;
    const discard = t('Discard');
    const detail = t(
      'The worktree {0} is removed, with what was not brought home. The session stays in the history.',
      attempt.worktree.name,
    );
    const sentence = t('Discard the attempt of {0}?', attempt.model);
    if ((await window.showWarningMessage(sentence, { modal: true, detail }, discard)) !== discard) return;
    await this.host.session.closeSession(sessionId);
    await this.host.worktrees.remove(attempt.worktree, new AbortController().signal);
    const attempts = kept.attempts.filter(each => each !== attempt);
    await this.keep(attempts.length > 0 ? { ...kept, attempts } : undefined);
    this.tell();
  }

  private get opened() {
    return this.host.session.opened;
  }

  private get kept(): KeptComparison | undefined {
    return this.host.memory.get<KeptComparison>(memoryKey);
  }

  private async keep(comparison: KeptComparison | undefined): Promise<void> {
    await this.host.memory.update(memoryKey, comparison);
  }

  private async show(): Promise<boolean> {
    if (!this.kept) return false;
    await this.host.panel.show('comparison');
    return true;
  }

  private async start(
    { prompt, attempts: wanted }: ComparisonRequest,
    takeAttachments: () => readonly Attachment[],
  ): Promise<void> {
    const attachments = takeAttachments();
    const attempts: KeptAttempt[] = [];
    this.facts.clear();
    for (const { model, worktree, setUp } of wanted) {
      const session = await this.opened.create(worktree);
      session.setModel(model);
      attempts.push({ sessionId: session.id, model, worktree });
      begin(session, setUp, prompt, attachments).catch(error =>
        this.host.log.error(`The attempt of ${model} did not begin`, error),
      );
    }
    await this.keep({ prompt, attempts });
    await this.show();
  }

  /** Returns `undefined` if it was deleted, or another window has it. */
  private async read(sessionId: string): Promise<Session | undefined> {
    try {
      const session = await this.opened.open(sessionId);
      this.facts.set(sessionId, summariseAttempt(session.state));
      return session;
    } catch (error) {
      this.host.log.warn(`The attempt ${sessionId} cannot be opened: ${messageOf(error)}`);
      return undefined;
    }
  }

  private tellSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.tell();
    }, tellEveryMs);
  }

  private tell(): void {
    const fact = this.describe();
    const told = JSON.stringify(fact);
    if (told === this.lastTold) return;
    this.lastTold = told;
    this.host.panel.notify(() => fact);
  }

  private describe(): Extract<ToWebview, { type: 'comparison.told' }> {
    const { kept } = this;
    if (!kept) return { type: 'comparison.told' };
    const attempts = kept.attempts.map(({ sessionId, model }) => {
      const session = this.opened.find(sessionId);
      if (session) this.facts.set(sessionId, summariseAttempt(session.state));
      return { sessionId, model, facts: this.facts.get(sessionId) };
    });
    return { type: 'comparison.told', comparison: { prompt: kept.prompt, attempts } };
  }
}

/** The prompt waits for the worktree's setup, as it would for a user. */
async function begin(
  session: Session,
  setUp: string,
  prompt: string,
  attachments: readonly Attachment[],
): Promise<void> {
  const isSetUp = setUp === '' ? undefined : session.runCommand(setUp, 'setUp');
  await Promise.all([isSetUp, session.submitPrompt(prompt, attachments, 'next')]);
}
