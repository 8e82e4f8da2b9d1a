/*
 * Tasks of a server, by https://github.com/modelcontextprotocol/ext-tasks (2026-07-28). Tests change their state.
 * Violations of the extension are refused and recorded.
 */

import { ProtocolError, type Server, type ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';

export const tasksExtension = 'io.modelcontextprotocol/tasks';

type Fields = Readonly<Record<string, unknown>>;

interface FakeTask {
  state: Fields;
  /** Requested inputs without an answer. */
  readonly open: Set<string>;
  readonly answers: Record<string, unknown>;
}

const get = z.object({ taskId: z.string() });

export class FakeTasks {
  readonly tasks = new Map<string, FakeTask>();
  readonly cancelled: string[] = [];
  readonly faults: string[] = [];
  /** Called at each poll. */
  onPoll: (taskId: string) => void = () => {};
  private polls = 0;

  get polled(): number {
    return this.polls;
  }

  begin({ mcpReq }: ServerContext) {
    this.expectDeclared(mcpReq.envelope);
    const taskId = `task-${this.tasks.size + 1}`;
    const task = { state: { status: 'working' }, open: new Set<string>(), answers: {} };
    this.tasks.set(taskId, task);
    return { resultType: 'task', content: [], ...this.described(taskId) };
  }

  /** Sets the state for the next poll. */
  become(taskId: string, state: Fields): void {
    const task = this.find(taskId);
    task.state = state;
    const asked = state.inputRequests;
    if (typeof asked === 'object' && asked) for (const key of Object.keys(asked)) task.open.add(key);
  }

  serve(server: Server): void {
    server.setRequestHandler('tasks/get', { params: get }, ({ taskId }, { mcpReq }) => {
      this.expectDeclared(mcpReq.envelope);
      this.polls += 1;
      this.onPoll(taskId);
      return this.described(taskId);
    });
    server.setRequestHandler('tasks/update', { params: get }, ({ taskId }, { mcpReq }) => {
      this.expectDeclared(mcpReq.envelope);
      const task = this.find(taskId);
      for (const [key, answer] of Object.entries(mcpReq.inputResponses ?? {})) {
        if (!task.open.delete(key)) this.faults.push(`${key} is not asked for`);
        task.answers[key] = answer;
      }
      return {};
    });
    server.setRequestHandler('tasks/cancel', { params: get }, ({ taskId }, { mcpReq }) => {
      this.expectDeclared(mcpReq.envelope);
      this.find(taskId);
      this.cancelled.push(taskId);
      return {};
    });
  }

  private find(taskId: string): FakeTask {
    const task = this.tasks.get(taskId);
    if (!task) throw new ProtocolError(-32_602, 'Failed to retrieve task: Task not found');
    return task;
  }

  private described(taskId: string): Fields {
    const at = new Date(0).toISOString();
    const times = { createdAt: at, lastUpdatedAt: at, ttlMs: null, pollIntervalMs: 100 };
    return { taskId, ...times, ...this.find(taskId).state };
  }

  private expectDeclared(envelope: unknown): void {
    if (JSON.stringify(envelope).includes(`"${tasksExtension}":{}`)) return;
    this.faults.push('The extension is not declared');
    throw new ProtocolError(-32_021, 'Missing required client capability', {
      requiredCapabilities: { extensions: { [tasksExtension]: {} } },
    });
  }
}
