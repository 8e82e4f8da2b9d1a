/* Merges the answers of several hooks: an objection wins, and the last change of a value. */

import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { cutMiddle } from '../../base/text.ts';
import type { HookAnswer, ToolConfig } from './parseAnswer.ts';

export interface HookVerdict extends Omit<HookAnswer, 'decision' | 'reason' | 'context' | 'warning'> {
  /** Reasons of all that block. */
  readonly block?: LocalizedMessage;
  /** Why a user must decide. */
  readonly ask?: string;
  /** The text that each hook added. */
  readonly contexts: readonly string[];
}

export function mergeAnswers(answers: readonly HookAnswer[]): HookVerdict {
  const reasons = (decision: HookAnswer['decision']) =>
    answers
      .filter(answer => answer.decision === decision)
      .map(
        ({ reason, message }) =>
          () =>
            reason?.() || message || '',
      );
  return {
    block: joined(reasons('block')),
    ask: joined(reasons('ask').map(say => () => say() || t('A hook asks for your decision.')))?.(),
    stop: joined(answers.map(({ stop }) => stop)),
    contexts: answers.flatMap(({ context }) => (context ? [context] : [])),
    clearContext: answers.some(({ clearContext }) => clearContext) || undefined,
    toolInput: answers.findLast(({ toolInput }) => toolInput)?.toolInput,
    llmRequest: mergedRecords(answers.map(({ llmRequest }) => llmRequest)),
    llmResponse: answers.findLast(({ llmResponse }) => llmResponse)?.llmResponse,
    tailCall: answers.findLast(({ tailCall }) => tailCall)?.tailCall,
    toolConfig: mergeToolConfigs(answers.flatMap(({ toolConfig }) => (toolConfig ? [toolConfig] : []))),
  };
}

/** Uses the strictest mode, and all names that any of them allows. */
function mergeToolConfigs(configs: readonly ToolConfig[]): ToolConfig | undefined {
  if (configs.length === 0) return undefined;
  const mode = (['NONE', 'ANY', 'AUTO'] as const).find(each => configs.some(config => config.mode === each));
  const lists = configs.flatMap(({ allowedFunctionNames: names }) => (names ? [names] : []));
  const names = lists.length > 0 ? [...new Set(lists.flat())].sort() : undefined;
  return { mode, allowedFunctionNames: names };
}

function mergedRecords(records: readonly HookAnswer['llmRequest'][]): HookAnswer['llmRequest'] {
  const given = records.filter(each => each !== undefined);
  return given.length > 0 ? Object.assign({}, ...given) : undefined;
}

/** Characters of reasons, which appear in the journal, on cards and in requests. */
const limit = 10_000;

function joined(texts: readonly (LocalizedMessage | undefined)[]): LocalizedMessage | undefined {
  const given = texts.filter(say => say !== undefined && say() !== '') as readonly LocalizedMessage[];
  return given.length > 0 ? () => cutMiddle(given.map(say => say()).join('\n'), limit) : undefined;
}
