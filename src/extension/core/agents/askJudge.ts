import type { JudgeRequest } from '../loops/judgePrompt.ts';
import { ask } from '../session/ask.ts';
import { sideQuestions } from '../session/sideQuestions.ts';
import type { AgentSession } from './agentSession.ts';

/** A judgement is not worth the pauses that an answer is worth. */
const mostAttempts = 2;

/** Whether an agent goes in circles, asked beside its work. Rejects when there is no answer. */
export async function askJudge(
  { system, text }: JudgeRequest,
  { around, routing, emit }: Pick<AgentSession, 'around' | 'routing' | 'emit'>,
  signal: AbortSignal,
): Promise<string> {
  const messages = [{ role: 'user', parts: [{ kind: 'text', text }] }] as const;
  const maxAttempts = () => Math.min(mostAttempts, around.maxAttempts());
  const asking = { ...sideQuestions(around, 'loop', emit), maxAttempts };
  const result = await ask({ model: routing.side, system, messages, tools: [], signal }, asking);
  if (result.kind === 'answered') return result.text;
  throw result.kind === 'failed' ? result.error : new Error('It was stopped.');
}
