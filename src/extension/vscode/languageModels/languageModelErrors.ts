/*
 * The only classifier of failures of VS Code's language models. Checks in order: an abort; error codes and names of VS
 * Code and its extensions; network error codes, which survive between extensions; HTTP status and message text of other
 * extensions, which have no other sign; anything else.
 */

import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { errorCode, messageOf } from '../../base/errors.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { oneLine } from '../../base/text.ts';
import { ModelError, type ModelErrorKind } from '../../core/model.ts';

interface LanguageModelFailure {
  readonly aborted: boolean;
  /** Display name. */
  readonly model: string;
  /** True if part of the answer had arrived. */
  readonly answered: boolean;
}

interface Verdict {
  readonly kind: ModelErrorKind;
  readonly say: LocalizedMessage;
  readonly retryable?: boolean;
}

export function classifyLanguageModelFailure(error: unknown, context: LanguageModelFailure): ModelError {
  if (context.aborted)
    return new ModelError('aborted', () => t('Stopped.'), { retryable: false, cause: error });
  if (error instanceof ModelError) return error;
  const chain = causesOf(error);
  const { kind, say, retryable = false } = classify(chain, context);
  return new ModelError(kind, say, { retryable, cause: error });
}

function classify(chain: readonly unknown[], context: LanguageModelFailure): Verdict {
  for (const cause of chain) {
    const named = byName(errorCode(cause), context) ?? byName(nameOf(cause), context);
    if (named) return named;
  }
  const code = chain.map(errorCode).find(each => each !== undefined && network.test(each));
  if (code !== undefined) {
    const say = () =>
      t('The connection to {0} failed ({1}). Check the network, then retry.', context.model, code);
    return { kind: 'network', say, retryable: true };
  }
  const said = oneLine(maskSecrets(messageOf(chain[0])), 300).replace(/[.!]+$/, '');
  return byStatus(findStatus(chain), said, context) ?? byWords(said, context) ?? unknown(said, context);
}

/** Codes of VS Code's own error class, and names that extensions give to errors without code. */
function byName(name: string | undefined, { model }: LanguageModelFailure): Verdict | undefined {
  switch (name) {
    case 'NoPermissions':
      return {
        kind: 'forbidden',
        say: () =>
          t(
            'VS Code has not let Folio use {0}. Send a prompt and agree when VS Code asks, or choose another model with "Folio: Select Model".',
            model,
          ),
      };
    case 'NotFound':
      return {
        kind: 'notFound',
        say: () =>
          t(
            'VS Code no longer has the model {0}. Enable the extension that offers it, or choose another model with "Folio: Select Model".',
            model,
          ),
      };
    case 'Blocked':
    case 'ChatQuotaExceeded':
      return {
        kind: 'quota',
        say: () =>
          t(
            'VS Code blocks {0}, probably because its quota is used up. Wait until it is renewed, or choose another model with "Folio: Select Model".',
            model,
          ),
      };
    case 'ChatRateLimited':
      return rateLimited(model);
    default:
      return undefined;
  }
}

const network =
  /^(ECONN(RESET|REFUSED|ABORTED)|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|ENET(UNREACH|DOWN)|EHOSTUNREACH|UND_ERR_\w+|ERR_(STREAM_PREMATURE_CLOSE|NETWORK_CHANGED|INTERNET_DISCONNECTED))$/;

function byStatus(
  status: number | undefined,
  said: string,
  context: LanguageModelFailure,
): Verdict | undefined {
  const { model } = context;
  if (status === 401 || status === 403) {
    const say = () =>
      t(
        'The service behind {0} denies access to VS Code ({1}). Check the sign-in of the extension that offers it.',
        model,
        orNone(said),
      );
    return { kind: 'forbidden', say };
  }
  if (status === 404) return byName('NotFound', context);
  if (status === 413) return tooLarge;
  if (status === 429) return rateLimited(model);
  if (status === undefined || status < 500) return undefined;
  const say = () =>
    t(
      '{0} is overloaded or down (status {1}). Wait, or choose another model.',
      t('The service behind {0}', model),
      status,
    );
  return { kind: 'overloaded', say, retryable: true };
}

function byWords(said: string, { model }: LanguageModelFailure): Verdict | undefined {
  if (/context.?length|maximum context|token limit|too many tokens|prompt is too long/i.test(said)) {
    return tooLarge;
  }
  if (/\bfiltered\b|content.?filter|responsible ai/i.test(said)) {
    const what = () => t('A filter stopped the answer of {0}.', model);
    const say = () => t('{0} Put the request differently, or choose another model.', what());
    return { kind: 'blocked', say };
  }
  return undefined;
}

/** An interrupted answer is worth a retry. What fails from the start mostly fails again. */
function unknown(said: string, { model, answered }: LanguageModelFailure): Verdict {
  if (answered) {
    const say = () => t('The answer of {0} ended early ({1}). Retry.', model, orNone(said));
    return { kind: 'invalidStream', say, retryable: true };
  }
  const say = () =>
    t(
      '{0} did not answer ({1}). Retry, or choose another model with "Folio: Select Model".',
      model,
      orNone(said),
    );
  return { kind: 'unknown', say };
}

function orNone(said: string): string {
  return said || t('no reason given');
}

const tooLarge: Verdict = {
  kind: 'tooLarge',
  say: () =>
    t(
      'The conversation is longer than the model can read. Shorten it with "Folio: Compress Context", or start a new session with "Folio: New Session".',
    ),
};

function rateLimited(model: string): Verdict {
  return {
    kind: 'rateLimited',
    say: () => t('{0} is getting too many requests. Retry later.', model),
    retryable: true,
  };
}

/** VS Code nests fewer causes. The limit also ends cyclic chains. */
function causesOf(error: unknown, depth = 5): readonly unknown[] {
  if (typeof error !== 'object' || error === null || depth === 0) return depth === 5 ? [error] : [];
  return [error, ...('cause' in error ? causesOf(error.cause, depth - 1) : [])];
}

function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}

/** Finds a status member, or text such as "Request failed: 503" and "status code 429". */
function findStatus(chain: readonly unknown[]): number | undefined {
  for (const cause of chain) {
    if (typeof cause !== 'object' || cause === null) continue;
    const { status, statusCode, code } = cause as Readonly<Record<string, unknown>>;
    const own = [status, statusCode, code].find(
      value => typeof value === 'number' && value >= 400 && value < 600,
    );
    if (typeof own === 'number') return own;
    const reported = /\b(?:status(?: code)?|http|failed|error)\b[:\s(]*([45]\d\d)\b/i.exec(
      messageOf(cause),
    )?.[1];
    if (reported !== undefined) return Number(reported);
  }
  return undefined;
}
