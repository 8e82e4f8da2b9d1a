/* Runs tasks of agents on other servers. */

import { t } from '../../protocol/language.ts';
import { abortable } from '../base/abort.ts';
import {
  type RemoteAgentClient,
  RemoteAgentError,
  type RemoteAnswer,
  type RemoteConversation,
  type RemoteEndpoint,
  type RemoteMessage,
} from '../core/agents/remote/remoteAgents.ts';
import { type A2aPorts, AgentConnection, JsonRpcError } from './agentConnection.ts';
import { RemoteAnswerGatherer } from './answerGatherer.ts';

/** Time for the server to confirm a cancellation, milliseconds. */
const cancelMs = 3_000;
/** First and longest interval for polling a task, milliseconds. */
const pauses = { first: 500, longest: 10_000 };
/** Maximum number of consecutive failed polls. */
const failuresLimit = 5;

const methods = {
  '0.3': { stream: 'message/stream', send: 'message/send', get: 'tasks/get', cancel: 'tasks/cancel' },
  '1': { stream: 'SendStreamingMessage', send: 'SendMessage', get: 'GetTask', cancel: 'CancelTask' },
} as const;

export class A2aAgents implements RemoteAgentClient {
  private readonly ports: A2aPorts;

  constructor(ports: A2aPorts) {
    this.ports = ports;
  }

  async send({ server, text, talk, hear }: RemoteMessage, signal: AbortSignal): Promise<RemoteAnswer> {
    const link = new AgentConnection(this.ports, server);
    const endpoint = await link.endpoint(signal);
    const hearHidden = (more: string) => hear(link.hide(more));
    try {
      return await new Exchange(this.ports, link, endpoint, hearHidden).run(text, talk, signal);
    } catch (error) {
      // A waiting task may be gone, and the message was not accepted then, so start a new task.
      if (!(error instanceof JsonRpcError && talk?.taskId !== undefined)) throw error;
      const { contextId } = talk;
      return await new Exchange(this.ports, link, endpoint, hearHidden).run(text, { contextId }, signal);
    }
  }
}

/** One message and its answer. */
class Exchange {
  private readonly ports: A2aPorts;
  private readonly link: AgentConnection;
  private readonly endpoint: RemoteEndpoint;
  private readonly hear: (text: string) => void;
  private answer = new RemoteAnswerGatherer(() => {}, undefined);

  constructor(
    ports: A2aPorts,
    link: AgentConnection,
    endpoint: RemoteEndpoint,
    hear: (text: string) => void,
  ) {
    this.ports = ports;
    this.link = link;
    this.endpoint = endpoint;
    this.hear = hear;
  }

  async run(text: string, talk: RemoteConversation | undefined, signal: AbortSignal): Promise<RemoteAnswer> {
    this.answer = new RemoteAnswerGatherer(this.hear, talk?.taskId);
    const open = new AbortController();
    const working = this.work(this.paramsOf(text, talk), open.signal);
    try {
      const end = await abortable(working, signal);
      const { answer, link } = this;
      const { contextId = talk?.contextId, taskId } = answer;
      const isOpen = end === 'asks' || end === 'wantsLogin';
      return {
        end,
        text: link.hide(answer.text),
        talk: { contextId, taskId: isOpen ? taskId : undefined },
      };
    } catch (error) {
      if (signal.aborted) await this.cancel(working);
      throw error;
    } finally {
      open.abort();
    }
  }

  /** Makes the server cancel the task. Waits for its id if that has not arrived yet. */
  private async cancel(working: Promise<unknown>): Promise<void> {
    const { clock } = this.ports;
    const late = new AbortController();
    const stop = clock.after(cancelMs, () => late.abort());
    const isOver = working.then(
      () => true,
      () => true,
    );
    try {
      while (this.answer.taskId === undefined && !late.signal.aborted)
        if (await Promise.race([isOver, clock.sleep(20).then(() => false)])) break;
      const { taskId } = this.answer;
      if (taskId === undefined || this.answer.end !== undefined) return;
      await abortable(this.ask('cancel', { id: taskId }, late.signal), late.signal);
    } catch {
      // The server refuses or is gone; the task is abandoned.
    } finally {
      stop();
    }
  }

  private async work(params: object, signal: AbortSignal): Promise<RemoteAnswer['end']> {
    const { answer } = this;
    const lost = await this.begin(params, signal);
    if (answer.end !== undefined) return answer.end;
    if (answer.taskId === undefined) throw lost ?? this.endedEarly();
    return await this.follow(answer.taskId, lost, signal);
  }

  /** Reads until the agent rests or the connection ends. Returns why it broke off. */
  private async begin(params: object, signal: AbortSignal): Promise<RemoteAgentError | undefined> {
    const { endpoint, answer, link } = this;
    const { stream, send } = methods[endpoint.version];
    try {
      const results = link.call(endpoint, endpoint.streams ? stream : send, params, signal);
      for await (const result of results) {
        answer.take(result);
        if (answer.end !== undefined) return undefined;
      }
      return undefined;
    } catch (error) {
      const isUnknown = error instanceof JsonRpcError && [-32601, -32004].includes(error.code);
      if (isUnknown && endpoint.streams && answer.taskId === undefined)
        return this.withoutStream(params, signal);
      // If only the connection was lost, the task continues.
      if (answer.taskId === undefined || !(error instanceof RemoteAgentError)) throw error;
      if (error instanceof JsonRpcError) throw error;
      return error;
    }
  }

  private async withoutStream(params: object, signal: AbortSignal): Promise<undefined> {
    for await (const result of this.link.call(
      this.endpoint,
      methods[this.endpoint.version].send,
      params,
      signal,
    ))
      this.answer.take(result);
    return undefined;
  }

  /** Polls the task until it rests. */
  private async follow(
    id: string,
    lost: RemoteAgentError | undefined,
    signal: AbortSignal,
  ): Promise<RemoteAnswer['end']> {
    const { answer, ports } = this;
    let failures = 0;
    for (let pause = pauses.first; ; pause = Math.min(pause * 1.5, pauses.longest)) {
      await ports.clock.sleep(pause, signal);
      try {
        await this.ask('get', { id }, signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted || !(error instanceof RemoteAgentError)) throw error;
        if (error instanceof JsonRpcError) throw lost ?? this.endedEarly(error);
        failures++;
        if (failures >= failuresLimit) throw error;
      }
      if (answer.end !== undefined) return answer.end;
    }
  }

  private async ask(method: 'get' | 'cancel', params: object, signal: AbortSignal): Promise<void> {
    const { endpoint, link, answer } = this;
    const all = { ...this.tenant(), ...params };
    for await (const result of link.call(endpoint, methods[endpoint.version][method], all, signal))
      answer.take(result);
  }

  private endedEarly(cause?: RemoteAgentError): RemoteAgentError {
    const { host } = new URL(this.endpoint.url);
    const say = () => t('The agent at {0} stopped answering before its task had ended.', host);
    return new RemoteAgentError(say, cause?.words, cause);
  }

  /** Servers without streaming answer at once and are polled, because some connections are cut early. */
  private paramsOf(text: string, talk: RemoteConversation | undefined): object {
    const { version } = this.endpoint;
    const ids = { messageId: this.ports.clock.newId(), contextId: talk?.contextId, taskId: talk?.taskId };
    if (version === '1') {
      const message = { ...ids, role: 'ROLE_USER', parts: [{ text }] };
      return { ...this.tenant(), message, configuration: { returnImmediately: true } };
    }
    const message = { kind: 'message', ...ids, role: 'user', parts: [{ kind: 'text', text }] };
    return { message, configuration: { blocking: false } };
  }

  private tenant() {
    return { tenant: this.endpoint.tenant };
  }
}
