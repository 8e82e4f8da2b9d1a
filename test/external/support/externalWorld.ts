/* The built program, driven by the scripted agent. */

import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import type { HeadlessResult, RunningProgram } from '../../support/headlessProgram.ts';
import { startHeadless } from '../../support/headlessRun.ts';
import { HeadlessWorld } from '../../support/headlessWorld.ts';

const scripted = resolve(import.meta.dirname, 'scriptedAgent.ts');

export type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;

export class Ran {
  readonly result: HeadlessResult;
  readonly events: readonly SessionEvent[];

  constructor(result: HeadlessResult) {
    this.result = result;
    this.events = result.out
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line));
  }

  of<T extends SessionEvent['type']>(type: T): EventOf<T>[] {
    return this.events.filter((event): event is EventOf<T> => event.type === type);
  }

  get text(): string {
    return this.of('text.appended')
      .map(({ text }) => text)
      .join('\n');
  }

  get end() {
    return this.of('turn.ended').at(-1)?.end;
  }
}

/** A run with intentions on standard input. */
export class Conversation {
  private readonly program: RunningProgram;
  private out = '';

  constructor(program: RunningProgram) {
    this.program = program;
    program.stdout.setEncoding('utf8').on('data', text => (this.out += text));
  }

  send(intention: object): void {
    this.program.stdin.write(`${JSON.stringify(intention)}\n`);
  }

  get ran(): Ran {
    const lines = this.out.slice(0, this.out.lastIndexOf('\n') + 1);
    return new Ran({ out: lines, error: '', code: null });
  }

  /** Waits for `count` asks and returns the newest. */
  async asked(count: number): Promise<EventOf<'call.asked'>> {
    await expect.poll(() => this.ran.of('call.asked').length).toBe(count);
    return this.ran.of('call.asked').at(-1)!;
  }

  decide({ callId, ask }: EventOf<'call.asked'>, kind: 'once' | 'deny'): void {
    this.send({ type: 'call.decide', callId, askId: ask.id, decision: { kind } });
  }

  /** @param turns number of turns to wait for */
  async rested(turns: number): Promise<void> {
    await expect.poll(() => this.ran.of('turn.ended').length).toBe(turns);
  }

  async rests(): Promise<void> {
    await expect.poll(() => this.ran.events.at(-1)?.type).toBe('turn.ended');
    this.program.stdin.end();
    await this.program.exit;
  }
}

export class ExternalWorld {
  readonly inner: HeadlessWorld;
  readonly log: string;

  private constructor(inner: HeadlessWorld) {
    this.inner = inner;
    this.log = join(inner.folder, 'agent.log');
  }

  /** Makes a workspace under Git, so that changes past Folio are found. */
  static async make(): Promise<ExternalWorld> {
    const world = new ExternalWorld(await HeadlessWorld.make());
    await world.write('a.txt', 'one\n');
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: world.inner.workspace });
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.email=a@example.com', '-c', 'user.name=a', 'commit', '-qm', 'x');
    return world;
  }

  get line(): string {
    return `"${process.execPath}" --no-warnings "${scripted}"`;
  }

  async run(
    script: readonly string[],
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ran> {
    const how = [
      '--output-format',
      'stream-json',
      '--agent-command',
      this.line,
      '--prompt',
      script.join('\n'),
    ];
    const mode = args.includes('--approval-mode') ? [] : ['--approval-mode', 'autoEdit'];
    const result = await this.inner.run([...how, ...mode, ...args], {
      env: { SCRIPTED_LOG: this.log, OWN: 'fine', ...env },
    });
    return new Ran(result);
  }

  /** Starts a run in which the test decides all asks. @param can extra abilities of the agent */
  converse(can = ''): Conversation {
    const { folder, workspace } = this.inner;
    const args = ['--workspace', workspace, '--session-dir', join(folder, 'sessions')];
    const how = ['--agent-command', this.line, '--input-format', 'stream-json', '--approval-mode', 'default'];
    const own = {
      HOME: folder,
      USERPROFILE: folder,
      GEMINI_API_KEY: 'test',
      SCRIPTED_LOG: this.log,
      SCRIPTED_CAN: can,
    };
    return new Conversation(startHeadless([...args, ...how], { ...process.env, ...own }));
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.inner.workspace, name), text);
  }

  read(name: string): Promise<string> {
    return readFile(join(this.inner.workspace, name), 'utf8');
  }

  /** Returns the requests to the agent. */
  async asked(): Promise<readonly string[]> {
    return (await readFile(this.log, 'utf8')).split('\n');
  }

  dispose(): Promise<void> {
    return this.inner.dispose();
  }
}
