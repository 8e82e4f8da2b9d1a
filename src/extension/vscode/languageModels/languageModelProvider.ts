import { t } from '../../../protocol/language.ts';
import { abortable } from '../../base/abort.ts';
import {
  type ModelEnd,
  ModelError,
  type ModelEvent,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
  noBuiltInToolsError,
} from '../../core/model.ts';
import { AnswerParts } from './fromLanguageModel.ts';
import { classifyLanguageModelFailure } from './languageModelErrors.ts';
import { languageModelId, languageModelLabel } from './languageModelNames.ts';
import type { AnswerPart, LanguageModel, LanguageModels } from './languageModels.ts';
import { TokenCounts } from './tokenCounts.ts';
import { toLanguageModelRequest } from './toLanguageModelRequest.ts';

/** Models that other extensions offer through VS Code. These manage keys, prices and quotas themselves. */
export function createLanguageModelProvider(models: LanguageModels, newId: () => string): ModelProvider {
  const counts = new TokenCounts();
  return {
    stream: request => stream({ models, newId, counts }, request),
    listModels: signal => listModels(models, signal),
  };
}

interface Parts {
  readonly models: LanguageModels;
  readonly newId: () => string;
  readonly counts: TokenCounts;
}

async function* stream(parts: Parts, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const { models, newId, counts } = parts;
  // Own signal, which also aborts the request if the consumer leaves early.
  const own = new AbortController();
  const forward = () => own.abort(request.signal.reason);
  if (request.signal.aborted) forward();
  else request.signal.addEventListener('abort', forward, { once: true });
  const { signal } = own;
  const answer = new AnswerParts(newId, idsOf(request));
  let called = request.model;
  let iterator: AsyncIterator<AnswerPart> | undefined;
  let end: ModelEnd;
  try {
    signal.throwIfAborted();
    const model = await abortable(findModel(models, request), signal);
    called = model.name || model.id;
    const size = counts.ofRequest(model, request);
    const asked = toLanguageModelRequest(request, model.seesPictures !== false);
    iterator = model.send(asked, signal)[Symbol.asyncIterator]();
    while (true) {
      const { done, value } = await abortable(iterator.next(), signal);
      if (done) break;
      yield* answer.addPart(value);
    }
    const problem = answer.findProblem();
    end = problem
      ? { ok: false, error: problem }
      : await abortable(toEnd(counts, model, size, answer), signal);
  } catch (error) {
    const { aborted } = request.signal;
    const context = { aborted, model: called, answered: !answer.isEmpty };
    end = { ok: false, error: classifyLanguageModelFailure(error, context) };
  } finally {
    request.signal.removeEventListener('abort', forward);
    own.abort();
    // Not awaited: the other extension may take its time, and its result does not matter.
    iterator?.return?.().catch(() => {});
  }
  yield { type: 'end', end };
}

async function toEnd(
  counts: TokenCounts,
  model: LanguageModel,
  size: Promise<number>,
  { message }: AnswerParts,
): Promise<ModelEnd> {
  const [prompt, written] = await Promise.all([size, counts.ofAnswer(model, message)]);
  // VS Code reports neither a finish reason nor cached tokens.
  return { ok: true, message, finish: 'end', citations: [], usage: { prompt, cached: 0, ...written } };
}

async function findModel(models: LanguageModels, request: ModelRequest): Promise<LanguageModel> {
  if (request.builtIn) throw noBuiltInToolsError(request.builtIn);
  const offered = await models.list();
  const model = offered.find(each => languageModelId(each) === request.model);
  if (!model) throw offered.length === 0 ? noModels() : modelNotFoundError(request.model);
  if (request.tools.length > 0 && model.callsTools === false) throw noTools(model);
  return model;
}

async function listModels(models: LanguageModels, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  try {
    signal.throwIfAborted();
    return (await abortable(models.list(), signal)).map(model => ({
      id: languageModelId(model),
      label: languageModelLabel(model),
      contextLimit: model.maxInputTokens > 0 ? model.maxInputTokens : leastLimit,
    }));
  } catch (error) {
    const context = { aborted: signal.aborted, model: 'VS Code', answered: false };
    throw classifyLanguageModelFailure(error, context);
  }
}

/** If the other extension reports no plausible limit. */
const leastLimit = 32_768;

function idsOf({ messages }: ModelRequest): ReadonlySet<string> {
  return new Set(
    messages.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'call' ? [part.id] : []))),
  );
}

function noModels(): ModelError {
  const say = () =>
    t(
      'VS Code offers no language models here. Install an extension that offers some, or sign in to the one you have. Or choose another provider with the setting folio.provider.',
    );
  return new ModelError('notFound', say, { retryable: false });
}

function modelNotFoundError(model: string): ModelError {
  const say = () =>
    t('VS Code offers no model "{0}". Choose one of its models with "Folio: Select Model".', model);
  return new ModelError('notFound', say, { retryable: false });
}

function noTools({ name }: LanguageModel): ModelError {
  const say = () =>
    t('{0} cannot call tools, which Folio needs. Choose another model.', t('The model "{0}"', name));
  return new ModelError('noTools', say, { retryable: false });
}
