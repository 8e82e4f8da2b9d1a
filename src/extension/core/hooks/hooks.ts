/*
 * All hooks that settings files name, and which of them may run: those of the person always, those of a workspace
 * once it is trusted and the person has seen them as they are. What changed since is a hook not seen.
 */

import { createHash } from 'node:crypto';
import type { HookEvent } from '../../../protocol/hooks.ts';
import { Emitter } from '../../base/emitter.ts';
import type { HookFile, HookFiles, HookProcesses } from '../../platform/hooks.ts';
import type { SeenItems } from '../../platform/seenItems.ts';
import type { Hook } from './hook.ts';
import { matchHooks } from './matchHooks.ts';
import { type ParsedHooks, parseHooks } from './parseHooks.ts';

export interface HookPorts {
  readonly files: HookFiles;
  readonly processes: HookProcesses;
  readonly seen: SeenItems;
  readonly trusted: () => boolean;
  /** A sentence for the person. */
  readonly tell: (sentence: string) => void;
  /** Hooks that stand in no file, as those of other extensions; read with the files. Absent: none. */
  readonly added?: () => readonly Hook[];
}

export interface ListedHook {
  readonly hook: Hook;
  /** Of a workspace's hook, as it is now: what the person decides on it holds for this and nothing else. */
  readonly id?: string;
  /** `waiting`: the person has not decided on it. */
  readonly state: 'enabled' | 'waiting' | 'refused' | 'disabled';
}

export class Hooks {
  readonly processes: HookProcesses;
  private readonly ports: HookPorts;
  private readonly changed = new Emitter<void>();
  private readonly told = new Set<string>();
  private hooks: readonly Hook[] = [];
  /** Switched off by a setting. */
  private off: readonly Hook[] = [];
  private configs: readonly ParsedHooks[] = [];
  private waiting: ReadonlyMap<string, Hook> = new Map();
  private hasStarted = false;
  private problemList: readonly string[] = [];

  /** Other hooks wait for the person's decision than before. */
  readonly onDidChange = this.changed.event;

  constructor(ports: HookPorts) {
    this.ports = ports;
    this.processes = ports.processes;
  }

  /** Hooks that the person has to decide on, by fingerprint. */
  get unseen(): ReadonlyMap<string, Hook> {
    return this.waiting;
  }

  /** A sentence about each entry that cannot be used. */
  get problems(): readonly string[] {
    return this.problemList;
  }

  /** Runs that changed nothing are shown, too. */
  get notifications(): boolean {
    return this.configs.every(({ config }) => config.notifications);
  }

  /** False costs nothing: nobody has to make up an input for hooks that are not there. */
  has(event: HookEvent): boolean {
    return this.hooks.some(hook => hook.event === event);
  }

  /** Reads the files anew. Never rejects. */
  async refresh(): Promise<void> {
    const files = await this.ports.files.read(this.ports.trusted());
    const parsed = files.map(file => ({ file, ...parseHooks(file) }));
    // A file of the workspace decides about the workspace's hooks and about no others.
    const switches = (hook: Hook) => parsed.filter(each => rulesOver(each.file, hook));
    this.configs = parsed.filter(({ file }) => file.origin === 'person' && !file.isExtension);
    const all = [...parsed.flatMap(({ hooks }) => hooks), ...(this.ports.added?.() ?? [])];
    this.hooks = all.filter(hook => !switches(hook).some(each => isSwitchedOff(hook, each)));
    this.off = all.filter(hook => !this.hooks.includes(hook));
    this.problemList = parsed.flatMap(({ problems }) => problems);
    for (const problem of this.problemList) this.tellOnce(problem);
    await this.findUnseen();
  }

  /** What runs now, in order. */
  async findRunnable(event: HookEvent, target: string | undefined): Promise<readonly Hook[]> {
    const matching = matchHooks(
      this.hooks.filter(hook => hook.event === event),
      target,
    );
    const states = await Promise.all(matching.map(hook => this.stateOf(hook)));
    // A script may have changed since the files were read.
    if (states.some((state, index) => state === 'waiting' && !this.isKnownToWait(matching[index]!)))
      await this.findUnseen();
    return matching.filter((_hook, index) => states[index] === 'enabled');
  }

  /** What brought a session about: one that is begun after another is what clearing the first led to. */
  sourceOf(resumed: boolean): 'startup' | 'resume' | 'clear' {
    const isFirst = !this.hasStarted;
    this.hasStarted = true;
    if (resumed) return 'resume';
    return isFirst ? 'startup' : 'clear';
  }

  /** @param shown fingerprints of those that the person saw: one that came meanwhile still waits. Absent: all */
  async decide(decision: 'allowed' | 'refused', shown?: readonly string[]): Promise<void> {
    const meant = [...this.waiting.keys()].filter(each => shown?.includes(each) ?? true);
    await this.ports.seen.markSeen(decision === 'allowed' ? meant : meant.map(refusalOf));
    await this.findUnseen();
  }

  /** What the person refused waits for them again: they see it anew before it may run. */
  async reopen(ids: readonly string[]): Promise<void> {
    await this.ports.seen.forget((await this.thoseThat('refused', ids)).map(refusalOf));
    await this.findUnseen();
  }

  /** What the person let run runs no more, from the next occasion on. */
  async withdraw(ids: readonly string[]): Promise<void> {
    const meant = await this.thoseThat('enabled', ids);
    // In this order: what is written in part leaves a hook that waits, and none that runs.
    await this.ports.seen.forget(meant);
    await this.ports.seen.markSeen(meant.map(refusalOf));
    await this.findUnseen();
  }

  /** All that the files name. */
  async list(): Promise<readonly ListedHook[]> {
    const listed = this.hooks.map(async hook => {
      if (hook.origin === 'person') return { hook, state: await this.stateOf(hook) };
      // Looked at once: the state is of exactly what the id names.
      const id = await this.fingerprint(hook);
      return { hook, id, state: await this.stateOf(hook, id) };
    });
    return [...(await Promise.all(listed)), ...this.off.map(hook => ({ hook, state: 'disabled' as const }))];
  }

  /** A hook that has changed since it was listed is another one, and not meant. */
  private async thoseThat(state: ListedHook['state'], ids: readonly string[]): Promise<readonly string[]> {
    const listed = await this.list();
    return listed.flatMap(each =>
      each.id !== undefined && each.state === state && ids.includes(each.id) ? [each.id] : [],
    );
  }

  /** @param fingerprint if it is known already */
  private async stateOf(hook: Hook, fingerprint?: string): Promise<ListedHook['state']> {
    if (hook.origin === 'person') return 'enabled';
    // The files of a workspace are not read without trust; trust may have gone since.
    if (!this.ports.trusted()) return 'waiting';
    return await this.decided(fingerprint ?? (await this.fingerprint(hook)));
  }

  private isKnownToWait(hook: Hook): boolean {
    return [...this.waiting.values()].includes(hook);
  }

  private async findUnseen(): Promise<void> {
    const waiting = new Map<string, Hook>();
    const before = [...this.waiting.keys()].join();
    for (const hook of this.ports.trusted() ? this.hooks : []) {
      if (hook.origin === 'person') continue;
      const fingerprint = await this.fingerprint(hook);
      if ((await this.decided(fingerprint)) === 'waiting') waiting.set(fingerprint, hook);
    }
    this.waiting = waiting;
    if (before !== [...waiting.keys()].join()) this.changed.fire();
  }

  private async decided(fingerprint: string): Promise<'enabled' | 'refused' | 'waiting'> {
    const { seen } = this.ports;
    if (await seen.isSeen(fingerprint)) return 'enabled';
    return (await seen.isSeen(refusalOf(fingerprint))) ? 'refused' : 'waiting';
  }

  /** Everything that says what would run, and when. */
  private async fingerprint(hook: Hook): Promise<string> {
    const { event, matcher, command, env, file } = hook;
    const scripts = await this.ports.files.digest(command);
    const whole = JSON.stringify([
      event,
      matcher ?? null,
      command,
      Object.entries(env).sort(),
      file,
      scripts,
    ]);
    return `hook-${createHash('sha256').update(whole).digest('hex')}`;
  }

  private tellOnce(sentence: string): void {
    if (this.told.has(sentence)) return;
    this.told.add(sentence);
    this.ports.tell(sentence);
  }
}

/** What counts, counts by its fingerprint; that a person refused it is another thing they were shown. */
function refusalOf(fingerprint: string): string {
  return `refused-${fingerprint}`;
}

function rulesOver(file: HookFile, hook: Hook): boolean {
  if (file.isExtension) return hook.file === file.path;
  return file.origin === 'person' || hook.origin === 'workspace';
}

function isSwitchedOff(hook: Hook, { config, file }: ParsedHooks & { readonly file: HookFile }): boolean {
  // What another program's switch says is meant for that program's own hooks.
  const isOff = !config.enabled && (file.dialect === 'gemini' || hook.file === file.path);
  return isOff || config.disabled.includes(hook.name) || config.disabled.includes(hook.command);
}
