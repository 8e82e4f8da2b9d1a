import {
  type AgentContext,
  type ClientCapabilities,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  methods,
  type RequestPermissionOutcome,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';

/**
 * The client from the perspective of one session. Sends updates in order. After the client has disconnected, it ignores
 * updates and rejects questions.
 */
export class SessionClient {
  readonly context: AgentContext;
  readonly capabilities: ClientCapabilities;
  private id: string | undefined;

  constructor(context: AgentContext, capabilities: ClientCapabilities) {
    this.context = context;
    this.capabilities = capabilities;
  }

  /** `undefined` before the session has begun. */
  get sessionId(): string | undefined {
    return this.id;
  }

  begin(sessionId: string): void {
    this.id = sessionId;
  }

  notify(update: SessionUpdate): void {
    if (this.id === undefined) return;
    this.context.notify(methods.client.session.update, { sessionId: this.id, update }).catch(() => {
      // The closed connection ends the session anyway.
    });
  }

  /** Returns `cancelled` when the client or the signal withdraws the question. */
  async askPermission(
    request: Omit<RequestPermissionRequest, 'sessionId'>,
    signal: AbortSignal,
  ): Promise<RequestPermissionOutcome> {
    const params = { sessionId: this.begun(), ...request };
    const asked = this.context.request(methods.client.session.requestPermission, params, {
      cancellationSignal: signal,
      stopWaitingOnCancel: true,
    });
    return (await asked).outcome;
  }

  elicit(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse> {
    return this.context.request(methods.client.elicitation.create, request, {
      cancellationSignal: signal,
      stopWaitingOnCancel: true,
    });
  }

  /** Returns the id. Throws before the session has begun. */
  begun(): string {
    if (this.id === undefined) throw new Error('The session has not begun yet.');
    return this.id;
  }
}
