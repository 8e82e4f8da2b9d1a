/* Runs the hooks of one session and records each run in its journal. */

import type { SessionEventBody } from '../../../protocol/events.ts';
import type { HookEvent, HookOutcome } from '../../../protocol/hooks.ts';
import { plural, t } from '../../../protocol/language.ts';
import { escapeInvisibleText } from '../../base/hiddenText.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { maskValuesInJson } from '../../base/maskValues.ts';
import { cutMiddle, oneLine } from '../../base/text.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HookExit, HookSpec } from '../../platform/customizations/hooks.ts';
import type { ChangeTracker } from '../changes/changeTracker.ts';
import { mentionsGit } from '../changes/gitCommandTracker.ts';
import { type Hook, toolNameFor } from './hook.ts';
import type { Hooks } from './hooks.ts';
import { isToolEvent } from './matchHooks.ts';
import { type HookVerdict, mergeAnswers } from './mergeAnswers.ts';
import { type HookAnswer, parseAnswer } from './parseAnswer.ts';

/** Environment and common input of hooks. */
export interface HookContext {
  readonly hooks: Hooks | undefined;
  readonly sessionId: string;
  /** Absolute path of the first workspace folder. */
  readonly cwd: string;
  /** Absolute paths that hooks may read. */
  readonly transcript: string;
  readonly plans: string;
  readonly clock: Clock;
  /** Files changed by hooks wait for review. */
  readonly changes: Pick<ChangeTracker, 'filesOf' | 'watch'>;
}

export type HookFields = Readonly<Record<string, unknown>>;

interface Occasion {
  readonly event: HookEvent;
  /** Text that matchers are compared with. */
  readonly target?: string;
  readonly callId?: string;
  /** Additional input of this event. */
  readonly fields: HookFields;
  readonly signal: AbortSignal;
  /** For sequential hooks: derives the next input from an answer. */
  readonly next?: (fields: HookFields, answer: HookAnswer) => HookFields;
}

/** Characters of a run's output in the journal. */
const outputLimit = 4000;

/**
 * Other events are not watched: scans around each model request are too slow, and at the end nobody reviews changes.
 */
const seenAtWork: ReadonlySet<HookEvent> = new Set([
  'BeforeAgent',
  'AfterAgent',
  'BeforeTool',
  'AfterTool',
  'SubagentStop',
]);

const noVerdict = mergeAnswers([]);

export class HookRuns {
  private readonly place: HookContext;
  private readonly emit: (event: SessionEventBody) => void;

  constructor(place: HookContext, emit: (event: SessionEventBody) => void) {
    this.place = place;
    this.emit = emit;
  }

  has(event: HookEvent): boolean {
    return this.place.hooks?.has(event) ?? false;
  }

  /** Never rejects for a failed hook, which is reported and has no effect. After an abort the verdict is empty. */
  async run(occasion: Occasion): Promise<HookVerdict> {
    const { event, target, signal } = occasion;
    const { hooks: known } = this.place;
    if (!known?.has(event)) return noVerdict;
    const hooks = await known.findRunnable(event, target);
    if (hooks.length === 0 || signal.aborted) return noVerdict;
    if (!seenAtWork.has(event)) return this.runAll(hooks, occasion, known);
    const words = t('Hook {0}', oneLine(hooks.map(({ name }) => clean(name, 60)).join(', '), 120));
    const { changes, clock } = this.place;
    const writer = { kind: 'call', callId: occasion.callId ?? clock.newId(), words } as const;
    const files = changes.filesOf(writer, 'unseen');
    try {
      const mayStage = hooks.some(({ command }) => mentionsGit(command));
      const watched = { effect: 'run', files, reads: false, mayStage, signal } as const;
      return (await changes.watch(watched, () => this.runAll(hooks, occasion, known))).result;
    } catch (error) {
      if (signal.aborted) return noVerdict;
      throw error;
    }
  }

  private async runAll(hooks: readonly Hook[], occasion: Occasion, known: Hooks): Promise<HookVerdict> {
    const { signal, next } = occasion;
    const runOne = (hook: Hook, at: Occasion) => this.runOne(hook, at, known);
    const answers: HookAnswer[] = [];
    if (hooks.some(({ sequential }) => sequential)) {
      let { fields } = occasion;
      for (const hook of hooks) {
        if (signal.aborted) break;
        const answer = await runOne(hook, { ...occasion, fields });
        answers.push(answer);
        if (answer.decision === 'block' || answer.stop !== undefined) break;
        fields = next?.(fields, answer) ?? fields;
      }
    } else {
      answers.push(...(await Promise.all(hooks.map(hook => runOne(hook, occasion)))));
    }
    return mergeAnswers(signal.aborted ? [] : answers);
  }

  private async runOne(hook: Hook, occasion: Occasion, hooks: Hooks): Promise<HookAnswer> {
    const { emit } = this;
    const { clock } = this.place;
    const runId = clock.newId();
    const startedAt = clock.now();
    const { event, name } = hook;
    const { callId } = occasion;
    const started = { type: 'hook.started', runId, event, name: clean(name, 120), callId } as const;
    const quiet = !hooks.notifications;
    if (!quiet) emit(started);
    const exit = await this.start(hook, occasion, hooks);
    const given = exit.kind === 'ended' ? parseAnswer(hook, exit) : {};
    const answer = withinEvent(event, hook.guard ? closed(hook, exit, given) : given);
    const outcome = outcomeOf(exit, answer);
    const summary = clean(summaryOf(exit, answer, hook), 300);
    if (exit.kind === 'failed' || exit.kind === 'timedOut' || given.warning !== undefined)
      hooks.reportFailure(t('Hook {0}: {1}', clean(name, 120), summary));
    if (quiet && outcome === 'passed') return answer;
    if (quiet) emit(started);
    emit({
      type: 'hook.ended',
      runId,
      outcome,
      summary,
      output: answer.suppressOutput ? '' : printed(exit),
      durationMs: clock.now() - startedAt,
    });
    return answer;
  }

  private start(hook: Hook, { fields, target, signal }: Occasion, hooks: Hooks): Promise<HookExit> {
    const { sessionId, cwd, transcript, plans, clock } = this.place;
    const { command, dialect, event, eventName, sandbox } = hook;
    // A hook written for another program expects that program's tool names.
    const toolName =
      isToolEvent(event) && target !== undefined ? toolNameFor(dialect, target) : fields.tool_name;
    const input = JSON.stringify({
      session_id: sessionId,
      transcript_path: transcript,
      cwd,
      hook_event_name: eventName,
      timestamp: new Date(clock.now()).toISOString(),
      ...fields,
      tool_name: toolName,
    });
    const env = {
      ...hook.env,
      GEMINI_PROJECT_DIR: cwd,
      GEMINI_CWD: cwd,
      GEMINI_SESSION_ID: sessionId,
      GEMINI_PLANS_DIR: plans,
      CLAUDE_PROJECT_DIR: cwd,
    };
    const { secrets = [] } = hook;
    return hooks.processes
      .run({ command, cwd, env, input, sandbox, ...timeOf(hook) }, signal)
      .then(exit => (secrets.length > 0 ? (maskValuesInJson(exit, secrets) as HookExit) : exit));
  }
}

/** The user waits for the last hooks when leaving a session, and VS Code allows only a few seconds on closing. */
const atEnd = { timeoutMs: 3000, graceMs: 500 };

function timeOf({ event, timeoutMs }: Hook): Pick<HookSpec, 'timeoutMs' | 'graceMs'> {
  if (event !== 'SessionEnd') return { timeoutMs };
  return { ...atEnd, timeoutMs: Math.min(timeoutMs, atEnd.timeoutMs) };
}

/** For events that cannot be blocked, an objection becomes a warning. */
function withinEvent(event: HookEvent, answer: HookAnswer): HookAnswer {
  const { decision, reason, stop, ...rest } = answer;
  const objection = decision === 'block' ? reason : undefined;
  if (event === 'Notification' || event === 'SessionEnd')
    return { ...rest, warning: rest.warning ?? (stop ?? objection)?.() };
  const mayOnlyEnd = event === 'SessionStart' || event === 'BeforeToolSelection';
  return mayOnlyEnd && objection !== undefined ? { ...rest, stop, warning: objection() } : answer;
}

/** A guard that crashes, is missing or times out counts as an objection. */
function closed(hook: Hook, exit: HookExit, answer: HookAnswer): HookAnswer {
  const isDecided = answer.decision !== undefined || answer.stop !== undefined;
  const isFine = exit.kind === 'ended' && exit.code === 0 && answer.warning === undefined;
  if (isDecided || isFine || exit.kind === 'stopped') return answer;
  const reason = () => t('It has "guard" set and gave no decision. {0}', summaryOf(exit, answer, hook));
  return { ...answer, decision: 'block', reason };
}

function outcomeOf(exit: HookExit, answer: HookAnswer): HookOutcome {
  if (answer.decision === 'block' && answer.stop === undefined) return 'blocked';
  if (exit.kind !== 'ended') return exit.kind === 'timedOut' ? 'timedOut' : 'failed';
  if (answer.stop !== undefined) return 'stopped';
  if (answer.warning !== undefined) return 'failed';
  return changeOf(answer) ? 'changed' : 'passed';
}

function summaryOf(exit: HookExit, answer: HookAnswer, hook: Hook): string {
  if (answer.decision === 'block' && answer.stop === undefined)
    return t('Blocked: {0}', answer.reason?.() ?? '');
  switch (exit.kind) {
    case 'timedOut':
      return plural(
        timeOf(hook).timeoutMs / 1000,
        'one: Ended after {0} second without a result. Nothing was changed by it. | other: Ended after {0} seconds without a result. Nothing was changed by it.',
      );
    case 'stopped':
      return t('Stopped.');
    case 'failed':
      return exit.message;
    case 'ended':
      if (answer.stop !== undefined) return t('Ended the work: {0}', answer.stop());
      if (answer.warning !== undefined) return t('Warning: {0}', answer.warning);
      return [changeOf(answer), answer.message].filter(Boolean).join(' ') || t('Passed.');
  }
}

/** Describes the effect of an answer without objection; `undefined`: none. */
function changeOf({ decision, reason, ...answer }: HookAnswer): string | undefined {
  const changes = [
    decision === 'ask' &&
      (reason ? t('Asks for your decision: {0}', reason()) : t('Asks for your decision.')),
    answer.toolInput && t('Changed the arguments to {0}.', JSON.stringify(answer.toolInput)),
    answer.llmRequest && t('Changed the request ({0}).', Object.keys(answer.llmRequest).join(', ')),
    answer.llmResponse && t('Answered in place of the model.'),
    answer.toolConfig && t('Changed which tools are available.'),
    answer.tailCall && t('Runs {0} next.', answer.tailCall.name),
    answer.clearContext && t('Cleared the context.'),
    answer.context && t('Added context.'),
  ];
  return changes.filter(Boolean).join(' ') || undefined;
}

function printed(exit: HookExit): string {
  if (exit.kind !== 'ended' && exit.kind !== 'timedOut') return '';
  const text = [exit.stdout.trimEnd(), exit.stderr.trimEnd()].filter(Boolean).join('\n');
  return cutMiddle(maskSecrets(escapeInvisibleText(text)), outputLimit);
}

function clean(text: string, limit: number): string {
  return oneLine(maskSecrets(escapeInvisibleText(text)), limit);
}
