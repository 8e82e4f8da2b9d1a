/*
 * Parses a hook's answer from its exit code and output:
 *
 *   JSON                      counts whatever the exit code; a blocking code without a decision blocks
 *   text, exit code 0         a message for the user (for some events of the Claude contract: context)
 *   text, exit code 1         a warning
 *   text, any other code      blocks, the text is the reason (Claude contract: only 2 does, others warn)
 *
 * Each stream may contain other output, see `printedObjects`.
 */

import * as z from 'zod';
import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import type { HookExit } from '../../platform/customizations/hooks.ts';
import type { Hook } from './hook.ts';
import { type PrintedObject, printedObjects } from './printedObjects.ts';

export interface HookAnswer {
  readonly decision?: 'ask' | 'block';
  /** For the user and the model. */
  readonly reason?: LocalizedMessage;
  /** `continue: false`: the agent must stop for this reason. */
  readonly stop?: LocalizedMessage;
  /** For the user. */
  readonly message?: string;
  readonly context?: string;
  /** One sentence about a failure, which has no other effect. */
  readonly warning?: string;
  readonly suppressOutput?: boolean;
  readonly clearContext?: boolean;
  /** Replaces the arguments of the call. */
  readonly toolInput?: Readonly<Record<string, unknown>>;
  readonly llmRequest?: Readonly<Record<string, unknown>>;
  readonly llmResponse?: Readonly<Record<string, unknown>>;
  readonly toolConfig?: ToolConfig;
  readonly tailCall?: AskedTailCall;
}

/** A call to run after the reported one, whose result replaces that one's. */
export interface TailToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Without arguments it gets those of the reported call. */
type AskedTailCall = Pick<TailToolCall, 'name'> & Partial<TailToolCall>;

export interface ToolConfig {
  readonly mode?: 'AUTO' | 'ANY' | 'NONE';
  readonly allowedFunctionNames?: readonly string[];
}

export function parseAnswer(hook: Hook, exit: Extract<HookExit, { kind: 'ended' }>): HookAnswer {
  const { code, stdout, stderr } = exit;
  const blocks = blocksBy(hook, code);
  const answer = findAnswer(stdout, stderr);
  // Programs report objections on standard error.
  const [first, second] = blocks ? [stderr, stdout] : [stdout, stderr];
  const text = first.trim() || second.trim();
  if (answer) {
    if (!blocks || answer.decision === 'block' || answer.stop !== undefined) return answer;
    const words = printedObjects(text).length > 0 ? undefined : text;
    return {
      ...answer,
      decision: 'block',
      reason: answer.reason ?? inItsWords(answer.message || words) ?? (() => noReason(code)),
    };
  }
  if (blocks) return { decision: 'block', reason: () => text || noReason(code) };
  if (code !== 0) return { warning: text || t('It ended with exit code {0}.', code) };
  // On success, standard error contains only logs.
  const said = stdout.trim();
  if (said === '') return {};
  if (said.startsWith('{')) return { warning: t('Its answer looks like JSON but is not valid: {0}', said) };
  return textIsContext(hook) ? { context: said } : { message: said };
}

function blocksBy({ dialect }: Hook, code: number): boolean {
  return dialect === 'claude' ? code === 2 : code !== 0 && code !== 1;
}

function textIsContext({ dialect, event }: Hook): boolean {
  return dialect === 'claude' && (event === 'BeforeAgent' || event === 'SessionStart');
}

function noReason(code: number): string {
  return t('It ended with exit code {0} and gave no reason.', code);
}

const record = lazySchema(() => z.record(z.string(), z.unknown()));
const text = lazySchema(() => z.string().optional().catch(undefined));
const maybeRecord = lazySchema(() => record().optional().catch(undefined));

/** Ignores fields of the wrong type, so that one error does not invalidate the whole answer. */
const answerSchema = lazySchema(() =>
  z.object({
    // Some languages print booleans as text.
    continue: z.union([z.boolean(), z.stringbool()]).optional().catch(undefined),
    stopReason: text(),
    suppressOutput: z.boolean().optional().catch(undefined),
    systemMessage: text(),
    decision: text(),
    reason: text(),
    hookSpecificOutput: z
      .object({
        additionalContext: text(),
        clearContext: z.boolean().optional().catch(undefined),
        permissionDecision: text(),
        permissionDecisionReason: text(),
        tool_input: maybeRecord(),
        updatedInput: maybeRecord(),
        llm_request: maybeRecord(),
        llm_response: maybeRecord(),
        tailToolCallRequest: z
          .object({ name: z.string().min(1), args: record().optional() })
          .optional()
          .catch(undefined),
        toolConfig: z
          .object({
            mode: z.enum(['AUTO', 'ANY', 'NONE']).optional().catch(undefined),
            allowedFunctionNames: z.array(z.string()).optional().catch(undefined),
          })
          .optional()
          .catch(undefined),
      })
      .optional()
      .catch(undefined),
  }),
);

const answerKeys = [
  'decision',
  'continue',
  'stopReason',
  'systemMessage',
  'suppressOutput',
  'hookSpecificOutput',
];

/**
 * Returns the strictest printed answer, so that other output cannot hide an objection. An object without known keys
 * only counts if nothing else was printed.
 */
function findAnswer(stdout: string, stderr: string): HookAnswer | undefined {
  const [out, err] = [printedObjects(stdout), printedObjects(stderr)];
  for (const objects of [out, err]) {
    const answers = objects.filter(each => answerKeys.some(key => key in each)).flatMap(readAnswer);
    if (answers.length > 0) return answers.reduce(strictest);
  }
  return [stdout, stderr]
    .filter(printed => /^\s*["{].*["}]\s*$/s.test(printed.replace(/^\uFEFF/, '')))
    .flatMap(printedObjects)
    .flatMap(readAnswer)[0];
}

function readAnswer(object: PrintedObject): readonly HookAnswer[] {
  const parsed = answerSchema().safeParse(object);
  return parsed.success ? [answerOf(parsed.data)] : [];
}

/** Prefers the later one if both are equally strict. */
function strictest(one: HookAnswer, other: HookAnswer): HookAnswer {
  return strictness(one) > strictness(other) ? one : other;
}

function strictness({ stop, decision }: HookAnswer): number {
  if (stop !== undefined) return 3;
  return decision === 'block' ? 2 : decision === 'ask' ? 1 : 0;
}

function answerOf(output: z.infer<ReturnType<typeof answerSchema>>): HookAnswer {
  const specific = output.hookSpecificOutput ?? {};
  const reason = output.reason || specific.permissionDecisionReason;
  const decision = decisionOf(specific.permissionDecision) ?? decisionOf(output.decision);
  return {
    decision,
    reason: inItsWords(reason) ?? (decision === 'block' ? orNoReason(output.systemMessage) : undefined),
    stop: output.continue === false ? orNoReason(output.stopReason || reason) : undefined,
    message: output.systemMessage,
    suppressOutput: output.suppressOutput,
    context: specific.additionalContext || undefined,
    clearContext: specific.clearContext,
    toolInput: specific.tool_input ?? specific.updatedInput,
    llmRequest: specific.llm_request,
    llmResponse: specific.llm_response,
    toolConfig: specific.toolConfig,
    tailCall: specific.tailToolCallRequest,
  };
}

function inItsWords(text: string | undefined): LocalizedMessage | undefined {
  return text ? () => text : undefined;
}

function orNoReason(text: string | undefined): LocalizedMessage {
  return () => text || t('It gave no reason.');
}

/** Allowing counts as no decision, since hooks never loosen the policy. For an unknown word, the user decides. */
function decisionOf(word: string | undefined): HookAnswer['decision'] {
  const meant = word?.trim().toLowerCase();
  if (meant === 'block' || meant === 'deny') return 'block';
  return !meant || agreeing.has(meant) ? undefined : 'ask';
}

const agreeing: ReadonlySet<string> = new Set(['allow', 'approve', 'continue', 'defer', 'proceed']);
