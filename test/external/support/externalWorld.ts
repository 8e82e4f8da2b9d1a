/* The built program, driven by the scripted agent. */

import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import type { HeadlessResult } from '../../support/headlessProgram.ts';
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

export class ExternalWorld {
  readonly inner: HeadlessWorld;
  readonly log: string;

  private constructor(inner: HeadlessWorld) {
    this.inner = inner;
    this.log = join(inner.folder, 'agent.log');
  }

  /** A workspace under version control, so that changes past Folio can be found. */
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

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.inner.workspace, name), text);
  }

  read(name: string): Promise<string> {
    return readFile(join(this.inner.workspace, name), 'utf8');
  }

  /** What the agent was asked. */
  async asked(): Promise<readonly string[]> {
    return (await readFile(this.log, 'utf8')).split('\n');
  }

  dispose(): Promise<void> {
    return this.inner.dispose();
  }
}
