/*
 * One turn: answer, calls, answer, calls … until the model rests, a person stops it, a limit is reached, the work goes
 * in circles, or something fails.
 */

import type { ReachedBudget } from '../../../protocol/budgets.ts';
import type { Message, SessionEventBody, Trouble, TurnEnd, Usage } from '../../../protocol/events.ts';
import type { Clock } from '../../platform/clock.ts';
import { runCalls } from '../calls/scheduler.ts';
import type { CallSurroundings } from '../calls/surroundings.ts';
import { callsOf, type History } from '../history/history.ts';
import type { LoopFinding, LoopWatch } from '../loops/loopWatch.ts';
import type { ModelEnd, ModelError, ModelProvider, ModelRequest } from '../model.ts';
import type { Routing } from '../routing/routing.ts';
import { runStep, type StepResult } from './step.ts';

export interface TurnSurroundings {
  readonly history: Pick<History, 'withOwnIds'>;
  /** What goes out next, or why it must not. Compresses the context before, where that is due. */
  readonly nextRequest: (signal: AbortSignal) => Promise<ModelRequest | Trouble>;
  /** Hears each request before it goes out, and how the provider counted it. */
  readonly sending: (request: ModelRequest) => void;
  readonly counted: (request: ModelRequest, usage: Usage) => void;
  readonly clock: Clock;
  /** Asked anew for each step: key, address and model may change in between. */
  readonly provider: () => ModelProvider;
  readonly costOf: (model: string, usage: Usage) => number | undefined;
  readonly calls: CallSurroundings;
  /** How often a model is tried, and whether another one takes over from it. */
  readonly routing: Pick<Routing, 'attempts' | 'answered' | 'afterFailure'>;
  readonly emit: (event: SessionEventBody) => void;
  readonly addMessage: (message: Message) => void;
  readonly untilRetryNow: () => Promise<void>;
  /** Asked before each step. Warns the person when one is near. */
  readonly findReachedBudget: () => ReachedBudget | undefined;
  /** Puts into the history what the person wants the model to read before its next step. */
  readonly steer: (signal: AbortSignal) => Promise<void>;
  readonly loops: LoopWatch;
  /** After an answer: whether the model should go on by itself, with nothing new to read but that. */
  readonly goesOn: (answer: Message, signal: AbortSignal) => Promise<boolean>;
  /** After the results of calls: one of them was the end of the work. Absent: none is. */
  readonly isDone?: () => boolean;
}

/** Never rejects for trouble with the model or a tool; only a bug escapes. History is valid afterwards. */
export async function runTurn(around: TurnSurroundings, signal: AbortSignal): Promise<TurnEnd> {
  for (let number = 1; ; number++) {
    const budget = around.findReachedBudget();
    if (budget) return { kind: 'budget', budget };
    await around.steer(signal);
    const end = await takeStep(number, around, signal);
    if (end) return end;
  }
}

/** `undefined`: there is more to do. */
async function takeStep(
  number: number,
  around: TurnSurroundings,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const { clock, emit } = around;
  const stepId = clock.newId();
  const request = await around.nextRequest(signal);
  if (signal.aborted) return { kind: 'stopped' };
  if ('kind' in request) return { kind: 'failed', trouble: request };
  emit({ type: 'step.started', stepId, number, model: request.model });
  const result = await tryModels(request, stepId, around, signal);
  switch (result.kind) {
    case 'stopped':
      if (result.partial) addText('model', result.partial, around);
      return { kind: 'stopped' };
    case 'failed':
      return { kind: 'failed', trouble: troubleOf(result.error) };
    case 'hindered':
      return { kind: 'failed', trouble: result.trouble };
    case 'repeating':
      return cutAnswer(result.partial, stepId, around, signal);
    case 'answered':
      return takeAnswer(result.end, result.request, stepId, around, signal);
  }
}

type Tried =
  | Exclude<StepResult, { kind: 'answered' }>
  /** By whoever took the request over in the end. */
  | { readonly kind: 'answered'; readonly end: AnsweredEnd; readonly request: ModelRequest }
  /** The model that should take over cannot be asked. */
  | { readonly kind: 'hindered'; readonly trouble: Trouble };

type AnsweredEnd = Extract<ModelEnd, { ok: true }>;

/** What another model is sent is made anew: its limit, its prompt and what hooks say may be others. */
async function tryModels(
  first: ModelRequest,
  stepId: string,
  around: TurnSurroundings,
  signal: AbortSignal,
): Promise<Tried> {
  const { routing, emit } = around;
  const stepping = { ...around, maxAttempts: () => routing.attempts() };
  let request = first;
  for (let tried = 0; ; ) {
    around.sending(request);
    const result = await runStep(around.provider(), request, stepId, stepping, tried);
    if (result.kind === 'answered') {
      routing.answered(request.model);
      return { ...result, request };
    }
    if (result.kind !== 'failed') return result;
    const { model } = request;
    const after = await routing.afterFailure(result.error, model);
    if (after === 'fail') return result;
    if (after === 'stop') return { kind: 'stopped', partial: '' };
    tried = result.tried;
    const next = await around.nextRequest(signal);
    if (signal.aborted) return { kind: 'stopped', partial: '' };
    if ('kind' in next) return { kind: 'hindered', trouble: next };
    const reason = result.error.message;
    const maxAttempts = tried + routing.attempts();
    const other = next.model === model ? {} : { model: next.model };
    emit({ type: 'step.retried', stepId, reason, ...other, attempt: tried + 1, maxAttempts, delayMs: 0 });
    request = next;
  }
}

async function takeAnswer(
  { message: answer, usage, finish, cut, citations }: AnsweredEnd,
  request: ModelRequest,
  stepId: string,
  around: TurnSurroundings,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const { history, clock, emit, addMessage, loops } = around;
  const message = history.withOwnIds(answer, () => clock.newId());
  addMessage(message);
  if (usage) around.counted(request, usage);
  const cost = usage && around.costOf(request.model, usage);
  emit({ type: 'step.ended', stepId, usage, cost, finish, citations });
  const calls = callsOf(message);
  if (calls.length === 0 && cut) return { kind: 'failed', trouble: cutTrouble(usage) };
  if (calls.length === 0) return (await around.goesOn(message, signal)) ? undefined : { kind: 'rested' };
  const results = await runCalls(calls, stepId, around.calls, signal);
  addMessage({ role: 'user', parts: results });
  if (signal.aborted) return { kind: 'stopped' };
  around.calls.hooks?.throwIfStopped();
  if (around.isDone?.()) return { kind: 'rested' };
  for (const [at, call] of calls.entries()) loops.addCall(call, results[at]!.text);
  const finding = await loops.endStep();
  if (signal.aborted) return { kind: 'stopped' };
  return finding && answerLoop(finding, around);
}

/** Of an answer that repeats itself the repetition stays out of the history: it would only invite more of it. */
async function cutAnswer(
  partial: string,
  stepId: string,
  around: TurnSurroundings,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const finding = await around.loops.endStep();
  const kept = partial.slice(0, finding?.keepText);
  addText('model', `${kept}[The rest of this answer repeated itself and was cut off.]`, around);
  around.emit({ type: 'step.ended', stepId, finish: 'LOOP', citations: [] });
  if (signal.aborted) return { kind: 'stopped' };
  if (finding) return answerLoop(finding, around);
  // The person let it go on at this very moment.
  addText('user', 'Go on.', around);
  return undefined;
}

function answerLoop(finding: LoopFinding, around: TurnSurroundings): TurnEnd | undefined {
  if (finding.kind === 'stop') return { kind: 'loop', loop: finding.loop };
  const text = `${finding.loop.detail} Folio told the model to try another way.`;
  around.emit({ type: 'notice.shown', level: 'warning', text });
  addText('user', finding.text, around);
  return undefined;
}

function addText(role: Message['role'], text: string, { addMessage }: TurnSurroundings): void {
  addMessage({ role, parts: [{ kind: 'text', text }], ...(role === 'user' && { meanwhile: true }) });
}

/** What was said stands in the history, so that going on asks for the rest alone. */
function cutTrouble(usage: Usage | undefined): Trouble {
  const tokens = usage ? usage.output + usage.thoughts : 0;
  const after = tokens > 0 ? ` after ${tokens.toLocaleString('en-US')} tokens` : '';
  const what = `The model reached its length limit${after}, so that the answer is cut off.`;
  const remedy = 'Retry or say "Go on" for the rest, or raise the limit where you run the model yourself.';
  return { kind: cutKind, message: `${what} ${remedy}` };
}

const cutKind = 'cut';

/** The model was in the middle of an answer when it reached its length limit. */
export function isCut(end: TurnEnd): boolean {
  return end.kind === 'failed' && end.trouble.kind === cutKind;
}

export function troubleOf(error: ModelError): Trouble {
  const remedies: Partial<Record<ModelError['kind'], Trouble['remedy']>> = {
    auth: 'setKey',
    forbidden: 'setKey',
    notFound: 'selectModel',
    noTools: 'selectModel',
    quota: 'selectModel',
    tooLarge: 'compress',
  };
  return { kind: error.kind, message: error.message, remedy: remedies[error.kind] };
}
