import type { AskSubject } from '../../protocol/asks.ts';
import { t } from '../../protocol/language.ts';
import { oneLine } from '../base/text.ts';
import type { CallContext } from '../core/tool.ts';
import type { ElicitationAnswer, ElicitationRequest, McpUser } from './connection/mcpUser.ts';

type Ask = NonNullable<CallContext['ask']>;

/** Shows a question on the card of its call. Questions without a call are shown as the window does. */
export class CallScopedMcpUser implements McpUser {
  private readonly otherwise: McpUser;
  private readonly asks = new Map<string, Ask>();

  constructor(otherwise: McpUser) {
    this.otherwise = otherwise;
  }

  async during<T>(callId: string, ask: Ask | undefined, work: () => Promise<T>): Promise<T> {
    if (ask) this.asks.set(callId, ask);
    try {
      return await work();
    } finally {
      this.asks.delete(callId);
    }
  }

  async answer(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer> {
    const ask = request.callId === undefined ? undefined : this.asks.get(request.callId);
    if (!ask) return await this.otherwise.answer(request, signal);
    const said = await ask({ reason: () => reasonOf(request), subject: subjectOf(request) }, signal);
    if (said.kind === 'deny') return { kind: 'declined' };
    return { kind: 'accepted', answers: said.answers ?? [] };
  }

  open(address: string): Promise<boolean> {
    return this.otherwise.open(address);
  }
}

const reasonLength = 400;

function reasonOf(request: ElicitationRequest): string {
  const { server, message } = request;
  if (request.kind === 'form') return t('The server {0} asks for information.', oneLine(server, 60));
  return t(
    'The server {0} asks you to open a page: {1}',
    oneLine(server, 60),
    oneLine(message, reasonLength),
  );
}

function subjectOf(request: ElicitationRequest): AskSubject {
  if (request.kind === 'address') return { kind: 'fetch', urls: [request.address] };
  const { server, message, questions } = request;
  return { kind: 'questions', questions, from: { server, message } };
}
