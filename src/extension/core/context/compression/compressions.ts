/*
 * Compressions of a conversation. One is open at a time:
 *
 *   started ─► (proposed ─► applied | ended: discarded) | applied | ended: failed, stopped
 *
 * An automatic one is applied immediately. One requested by a user waits for their decision, even after a resume. The
 * journal records them all and never loses messages.
 */

import type { CompressionEnd, CompressionPlan } from '../../../../protocol/compression.ts';
import type { SessionEvent } from '../../../../protocol/events.ts';
import { plural, t } from '../../../../protocol/language.ts';
import type { CompressionTrigger, Failure } from '../../../../protocol/values.ts';
import { abortable } from '../../../base/abort.ts';
import { Emitter } from '../../../base/emitter.ts';
import { messageOf } from '../../../base/errors.ts';
import type { ModelRequest } from '../../model.ts';
import { type CompressionServices, chapterNames, replacementMessages } from './compressionServices.ts';
import { cutResults, escalatingCuts } from './cutResults.ts';
import { incompressibleFailure, requestTooLargeFailure } from './excess.ts';
import { historyChapters } from './historyChapters.ts';
import { LastPromptTokens } from './lastPromptTokens.ts';
import { verbatimMessageIndices } from './replacement.ts';
import { requireSnapshot } from './snapshot.ts';
import { findSplit } from './split.ts';
import { CompressionFailure, type SummaryMaterial, summarise, summaryQuestion } from './summarise.ts';
import { estimateReplacedTokens, type SummaryDraft, toCompressionPlan } from './summaryDraft.ts';
import { TokenEstimator } from './tokenEstimator.ts';

/** Minimum tokens that a compression must replace: a summary and its frame take about as many. */
const leastGain = 200;

/** Minimum share of the messages that an automatic compression must replace; else the next would soon follow. */
const leastShare = 0.1;

/** Maximum number of requests between two attempts after a failure. */
const maxPauseSteps = 15;

const tooLittle = () =>
  t('There is too little to compress yet. Continue, and compress when the conversation is longer.');

export class Compressions {
  readonly estimator = new TokenEstimator();
  private readonly installed = new Emitter<void>();
  /** Fires when a summary has replaced messages. */
  readonly onInstalled = this.installed.event;
  private readonly work: CompressionServices;
  private readonly transcript: CompressionServices['transcript'];
  private readonly lastPrompt = new LastPromptTokens();
  private running:
    | { readonly id: string; readonly abort: AbortController; readonly done: Promise<void> }
    | undefined;
  /** The user stopped an automatic compression, so none starts before the next prompt. */
  private heldBack = false;
  /** Failed automatic attempts in a row, and requests to send before the next attempt. */
  private failures = 0;
  private pause = 0;
  private isWaiting = false;
  private hasReportedCut = false;

  constructor(work: CompressionServices) {
    this.work = work;
    this.transcript = work.transcript;
  }

  /** Call with every event, after state and history were updated. */
  fold(event: SessionEvent): void {
    this.lastPrompt.fold(event);
    if (event.type === 'turn.started' || event.type === 'turn.retried') {
      this.heldBack = false;
      this.startAfresh();
    }
    if (event.type === 'compression.applied') this.startAfresh();
    // The messages to summarise may be gone.
    if (event.type === 'session.rewound' && event.scope !== 'files') this.running?.abort.abort();
  }

  /**
   * Creates a compression and resolves once it waits for the user. On an error it ends the compression instead of
   * rejecting. Throws synchronously if one is open.
   */
  propose(): Promise<void> {
    if (this.running || this.transcript.state.compression) {
      throw new Error('A compression is open already: apply or discard it first.');
    }
    return this.attempt('manual', () => this.readDraft());
  }

  /** Throws if it does not wait for a decision. */
  apply(compressionId: string): void {
    const { compression: open } = this.transcript.state;
    if (open?.status !== 'proposed' || open.id !== compressionId) {
      throw new Error('This compression is no longer open. Compress again to get a new one.');
    }
    // Pins may have changed since.
    this.install(compressionId, open.trigger, this.withSnapshot(open.plan, open.plan.snapshot));
  }

  /**
   * Replaces the snapshot of a proposed compression, or of the latest in force. Throws a sentence for an incomplete
   * one.
   */
  edit(compressionId: string, snapshot: string): void {
    const { state, emit } = this.transcript;
    const { compression: open, compressions } = state;
    const parsed = requireSnapshot(snapshot);
    if (open?.status === 'proposed' && open.id === compressionId) {
      const plan = this.smaller(this.withSnapshot(open.plan, parsed));
      emit({ type: 'compression.proposed', compressionId, plan });
      return;
    }
    const newest = compressions.at(-1);
    if (newest?.id !== compressionId) {
      throw new Error('Only the newest compression can be edited: undo the ones after it first.');
    }
    const plan = this.smaller(this.withSnapshot(newest.plan, parsed));
    emit({ type: 'compression.applied', compressionId, trigger: newest.trigger, plan });
  }

  /** Ends a running or proposed compression; otherwise does nothing. */
  discard(compressionId: string): void {
    const { compression: open } = this.transcript.state;
    if (open?.id !== compressionId) return;
    if (open.status === 'proposed') {
      this.end(compressionId, { kind: 'discarded' });
      return;
    }
    if (open.trigger === 'automatic') this.heldBack = true;
    if (this.running?.id === compressionId) this.running.abort.abort();
  }

  async stop(): Promise<void> {
    this.running?.abort.abort();
    await this.running?.done;
  }

  /** Sends what the latest compression replaced again. Throws for any other compression. */
  undo(compressionId: string): void {
    const { state, emit } = this.transcript;
    if (state.compressions.at(-1)?.id !== compressionId) {
      throw new Error('Only the newest compression can be undone.');
    }
    emit({ type: 'compression.undone', compressionId });
  }

  /** Compresses if the latest request reached its share of the context limit. Never rejects for an error. */
  async beforeRequest(signal: AbortSignal): Promise<void> {
    const { routing, ports } = this.work;
    const { models, limits } = ports;
    const enough = limits.current.compressionThreshold * models.contextLimit(routing.working);
    this.isWaiting = this.pause > 0;
    if (this.isWaiting) this.pause--;
    else if (this.lastPrompt.tokens >= enough && !this.transcript.state.compressionPaused)
      await this.compressAlone(signal, leastShare);
  }

  /**
   * Makes room for a request that would not fit: by a compression, despite earlier failures, or by cutting old results
   * in this request. Soon after failures, cutting comes first.
   * @param compose creates the request again after a compression
   * @returns the request, or why it must not be sent
   */
  async fit(compose: () => Promise<ModelRequest>, signal: AbortSignal): Promise<ModelRequest | Failure> {
    const request = await compose();
    if (!this.findExcess(request)) return request;
    const cut = this.isWaiting ? await this.cutToFit(request) : undefined;
    if (cut) return cut;
    const { history } = this.transcript;
    const known = history.compression;
    await this.compressAlone(signal, 0);
    const next = history.compression === known ? request : await compose();
    const excess = this.findExcess(next);
    if (!excess) return next;
    return (!signal.aborted && (await this.cutToFit(next))) || excess;
  }

  private async cutToFit(request: ModelRequest): Promise<ModelRequest | undefined> {
    // With automatic compression off, results are not cut automatically either.
    const { saveOutput, ports } = this.work;
    const { models, limits, log } = ports;
    if (limits.current.compressionThreshold >= 1) return undefined;
    const limit = models.contextLimit(request.model);
    for (const amounts of escalatingCuts(limit)) {
      const cut = { ...request, messages: await cutResults(request.messages, { saveOutput, log }, amounts) };
      if (this.findExcess(cut)) continue;
      this.reportCut();
      return cut;
    }
    return undefined;
  }

  /** Reports once per turn, since each request is cut again while the context is full. */
  private reportCut(): void {
    if (this.hasReportedCut) return;
    this.hasReportedCut = true;
    const text = t(
      'The context is full and could not be compressed, so the model gets old tool results shortened. Start a new session if it loses track.',
    );
    this.transcript.emit({ type: 'notice.shown', level: 'warning', text });
  }

  private startAfresh(): void {
    this.failures = 0;
    this.pause = 0;
    this.hasReportedCut = false;
  }

  private findExcess(request: ModelRequest): Failure | undefined {
    const { ports, describeExcess } = this.work;
    const { models } = ports;
    const limit = models.contextLimit(request.model);
    const scale = this.estimator.scale(request, this.transcript.state.contextTokens);
    const expected = Math.round(this.estimator.ofRequest(request) * scale);
    if (expected <= limit) return undefined;
    if (describeExcess) return describeExcess(expected, limit);
    // Compression cannot shrink the system prompt, the tools and the newest message.
    const newest = { ...request, messages: request.messages.slice(-1) };
    const least = Math.round(this.estimator.ofRequest(newest) * scale);
    if (least > limit) return incompressibleFailure(least, limit);
    return requestTooLargeFailure(expected, limit);
  }

  /** @param share minimum share of the context that it must replace */
  private async compressAlone(signal: AbortSignal, share: number): Promise<void> {
    const isOpen = this.transcript.state.compression !== undefined || this.running !== undefined;
    if (this.work.ports.limits.current.compressionThreshold >= 1 || this.heldBack || isOpen) return;
    const draft = await this.readDraft();
    if (signal.aborted || !draft) return;
    const gain = estimateReplacedTokens(draft, this.estimator);
    if (gain < leastGain || gain < share * this.estimator.ofMessages(draft.sent)) return;
    await this.attempt('automatic', async () => draft, signal);
  }

  private attempt(
    trigger: CompressionTrigger,
    readDraft: () => Promise<SummaryDraft | undefined>,
    outer?: AbortSignal,
  ): Promise<void> {
    const id = this.work.ports.clock.newId();
    const abort = new AbortController();
    const signal = outer ? AbortSignal.any([outer, abort.signal]) : abort.signal;
    this.transcript.emit({ type: 'compression.started', compressionId: id, trigger });
    const done = this.make(id, trigger, readDraft, signal);
    this.running = { id, abort, done };
    return done;
  }

  /** Emits exactly one end in all cases. */
  private async make(
    id: string,
    trigger: CompressionTrigger,
    readDraft: () => Promise<SummaryDraft | undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    const { beforeCompression } = this.work;
    try {
      await abortable(
        refusable(() => beforeCompression(trigger, signal)),
        signal,
      );
      const plan = await this.makePlan(await readDraft(), signal);
      signal.throwIfAborted();
      if (trigger === 'automatic') this.install(id, trigger, plan);
      else this.transcript.emit({ type: 'compression.proposed', compressionId: id, plan });
    } catch (error) {
      const end: CompressionEnd = signal.aborted ? { kind: 'stopped' } : this.failureOf(error);
      if (trigger === 'automatic' && end.kind === 'failed') this.waitAfterFailure();
      this.end(id, end);
    } finally {
      this.running = undefined;
    }
  }

  /** Retries less and less often, since each attempt costs as much as a request. */
  private waitAfterFailure(): void {
    this.pause = Math.min(maxPauseSteps, 2 ** this.failures - 1);
    this.failures++;
  }

  private async makePlan(draft: SummaryDraft | undefined, signal: AbortSignal): Promise<CompressionPlan> {
    const { overhead } = this.work;
    const { history, state } = this.transcript;
    if (!draft || estimateReplacedTokens(draft, this.estimator) < leastGain) {
      throw new CompressionFailure(tooLittle(), 'nothingToDo');
    }
    const chapters = chapterNames(draft.chapters, draft.cut + draft.offset);
    const counted = state.contextTokens;
    const material = this.readable(draft, chapters);
    const forRequest = (all: SummaryMaterial['messages']) => history.forRequest(all, material.model);
    const snapshot = await summarise(material, forRequest, this.work, signal);
    const replacement = replacementMessages(snapshot, draft.cut + draft.offset, this.work);
    const measures = { estimator: this.estimator, overhead: await overhead(), counted };
    return this.smaller(toCompressionPlan(draft, snapshot, replacement, measures));
  }

  private async readDraft(): Promise<SummaryDraft | undefined> {
    const { ports, saveOutput } = this.work;
    const sent = await this.work.sent();
    const cutDown = await cutResults(sent, { saveOutput, log: ports.log });
    return this.draft(this.transcript.history.messages.slice(0, sent.length), sent, cutDown);
  }

  private draft(view: SummaryDraft['view'], sent: SummaryDraft['sent'], cutDown: SummaryDraft['cutDown']) {
    const { history, places, state } = this.transcript;
    const from = history.compression?.replacement.length ?? 0;
    const offset = (history.compression?.keptFrom ?? 0) - from;
    const chapterStarts = places.chapters.map(({ message }) => message - offset);
    const cut = findSplit(sent, from, chapterStarts);
    if (cut === undefined) return undefined;
    const { whole } = history;
    const { pins } = state;
    const literal = verbatimMessageIndices({ keptFrom: cut + offset, whole, places, pins });
    const chapters = historyChapters(state, places, whole.length);
    return { view, sent, cutDown, cut, offset, from, whole, chapters, literal };
  }

  /** Selects the summariser's input: everything if it fits, else with cut results, else for the working model. */
  private readable({ view, sent, cutDown, cut }: SummaryDraft, chapters: readonly string[]): SummaryMaterial {
    const { ports, routing } = this.work;
    const { history, state } = this.transcript;
    const scale = this.estimator.scale({ system: '', tools: [], messages: sent }, state.contextTokens);
    const { working, side } = routing;
    for (const model of side === working ? [working] : [side, working]) {
      for (const messages of [view.slice(0, cut), cutDown.slice(0, cut)]) {
        const material = { model, chapters, messages };
        const question = summaryQuestion(material, all => history.forRequest(all, model));
        if (
          this.estimator.ofRequest({ ...question, messages: question.text, tools: [] }) * scale <=
          ports.models.contextLimit(model)
        )
          return material;
      }
    }
    throw new CompressionFailure(
      t(
        'The context was not compressed: the part to summarise is longer than the model can read. Go back to an earlier prompt, or choose a model with a larger context with "Folio: Select Model".',
      ),
    );
  }

  /** Returns the plan with another summary and the current pins. */
  private withSnapshot(plan: CompressionPlan, snapshot: string): CompressionPlan {
    const { history, state } = this.transcript;
    const replacement = replacementMessages(snapshot, plan.keptFrom, this.work);
    const grown = this.estimator.ofMessages(replacement) - this.estimator.ofMessages(plan.replacement);
    const sent = { system: '', tools: [], messages: history.messages };
    const scale = this.estimator.scale(sent, state.contextTokens);
    const after = Math.max(0, plan.tokens.after + Math.round(grown * scale));
    return { ...plan, snapshot, replacement, tokens: { ...plan.tokens, after } };
  }

  private smaller(plan: CompressionPlan): CompressionPlan {
    const { before, after } = plan.tokens;
    if (after < before) return plan;
    throw new CompressionFailure(
      plural(
        after,
        'one: The context was not compressed: with the summary it would be {0} token instead of {1}. The conversation stays as it was. | other: The context was not compressed: with the summary it would be {0} tokens instead of {1}. The conversation stays as it was.',
        before,
      ),
      'inflated',
    );
  }

  private install(compressionId: string, trigger: CompressionTrigger, plan: CompressionPlan): void {
    this.transcript.emit({ type: 'compression.applied', compressionId, trigger, plan });
    this.installed.fire();
  }

  private failureOf(error: unknown): CompressionEnd {
    if (error instanceof CompressionFailure) {
      const { message, kind } = error;
      return kind === 'failed' ? { kind, message } : { kind: 'failed', message, [kind]: true };
    }
    this.work.ports.log.error('A compression failed unexpectedly', error);
    const message = t(
      'The context was not compressed, because of an internal error in Folio ({0}). See the log with "Folio: Open Log".',
      messageOf(error),
    );
    return { kind: 'failed', message };
  }

  /** A rewind may have ended it already. */
  private end(compressionId: string, end: CompressionEnd): void {
    const { state, emit } = this.transcript;
    if (state.compression?.id === compressionId) emit({ type: 'compression.ended', compressionId, end });
  }
}

/** Converts a refusal into the reason of the failure. */
async function refusable(asked: () => Promise<void>): Promise<void> {
  try {
    await asked();
  } catch (error) {
    throw new CompressionFailure(messageOf(error));
  }
}
