/* All hooks from settings files. The user's always run; those of a workspace need consent. */

import type { HookEvent } from '../../../protocol/hooks.ts';
import type { HookFile, HookFiles, HookProcesses } from '../../platform/customizations/hooks.ts';
import { describeSandboxEntry } from '../../platform/customizations/sandboxEntry.ts';
import type {
  ConsentItem,
  ConsentReviewer,
  ConsentService,
  ConsentState,
} from '../consent/consentService.ts';
import { fingerprintOf } from '../consent/fingerprint.ts';
import type { Hook } from './hook.ts';
import { matchHooks } from './matchHooks.ts';
import { type ParsedHooks, parseHooks } from './parseHooks.ts';

interface HookPorts {
  readonly files: HookFiles;
  readonly processes: HookProcesses;
  readonly consent: ConsentService;
  readonly notify: (sentence: string) => void;
  /** Receives a sentence for each failed hook if no transcript is visible. */
  readonly reportFailure?: (sentence: string) => void;
  /** Names that the user disabled here. Absent: none. */
  readonly switchedOff?: () => readonly string[];
  /** Hooks that are in no file, such as those of other extensions, read together with the files. Absent: none. */
  readonly added?: () => readonly Hook[];
}

export interface ListedHook {
  readonly hook: Hook;
  /** Fingerprint of a workspace's hook in its current form; absent without trust. */
  readonly id?: string;
  /** `waiting`: the user has not decided. */
  readonly state: ConsentState | 'disabled';
}

type CheckedHook = ListedHook & { readonly state: ConsentState };

export class Hooks implements ConsentReviewer {
  readonly processes: HookProcesses;
  readonly consent: ConsentService;
  private readonly ports: HookPorts;
  private readonly reported = new Set<string>();
  private hooks: readonly Hook[] = [];
  /** Disabled by a setting. */
  private off: readonly Hook[] = [];
  private configs: readonly ParsedHooks[] = [];
  private hasStarted = false;
  private problemList: readonly string[] = [];

  constructor(ports: HookPorts) {
    this.ports = ports;
    this.processes = ports.processes;
    this.consent = ports.consent;
    this.consent.join(this);
  }

  /** One sentence for each entry that cannot be used. */
  get problems(): readonly string[] {
    return this.problemList;
  }

  /** Also shows runs without effect. */
  get notifications(): boolean {
    return this.configs.every(({ config }) => config.notifications);
  }

  /** Cheap check that avoids building input without hooks. */
  has(event: HookEvent): boolean {
    return this.hooks.some(hook => hook.event === event);
  }

  /** Reports each sentence once. */
  reportFailure(sentence: string): void {
    const { reportFailure } = this.ports;
    if (reportFailure) this.reportOnce(sentence, reportFailure);
  }

  /** Rereads the files. Never rejects. */
  async refresh(): Promise<void> {
    const files = await this.ports.files.read(this.consent.isTrusted);
    const parsed = files.map(file => ({ file, ...parseHooks(file) }));
    // Files of the workspace only enable or disable the workspace's hooks.
    const switches = (hook: Hook) => parsed.filter(each => rulesOver(each.file, hook));
    this.configs = parsed.filter(({ file }) => file.origin === 'person' && !file.isExtension);
    const all = [...parsed.flatMap(({ hooks }) => hooks), ...(this.ports.added?.() ?? [])];
    const offHere = this.ports.switchedOff?.() ?? [];
    this.hooks = all.filter(
      hook => !offHere.includes(hook.name) && !switches(hook).some(each => isSwitchedOff(hook, each)),
    );
    this.off = all.filter(hook => !this.hooks.includes(hook));
    this.problemList = parsed.flatMap(({ problems }) => problems);
    for (const problem of this.problemList) this.reportOnce(problem);
    await this.review();
  }

  /** Returns the hooks to run now, in order. */
  async findRunnable(event: HookEvent, target: string | undefined): Promise<readonly Hook[]> {
    const matching = matchHooks(
      this.hooks.filter(hook => hook.event === event),
      target,
    );
    const checked = await Promise.all(matching.map(hook => this.check(hook)));
    const { unseen } = this.consent;
    // A script may have changed since the files were read.
    if (checked.some(({ id, state }) => state === 'waiting' && id !== undefined && !unseen.has(id)))
      await this.review();
    return checked.flatMap(({ hook, state }) => (state === 'enabled' ? [hook] : []));
  }

  /** Tells how a session started: later ones in this process count as `clear`. */
  sourceOf(resumed: boolean): 'startup' | 'resume' | 'clear' {
    const isFirst = !this.hasStarted;
    this.hasStarted = true;
    if (resumed) return 'resume';
    return isFirst ? 'startup' : 'clear';
  }

  async list(): Promise<readonly ListedHook[]> {
    const listed = this.hooks.map(hook => this.check(hook));
    return [...(await Promise.all(listed)), ...this.off.map(hook => ({ hook, state: 'disabled' as const }))];
  }

  /** Updates which hooks wait for consent. */
  async review(): Promise<void> {
    const waiting = new Map<string, ConsentItem>();
    for (const { hook, id, state } of await Promise.all(this.hooks.map(each => this.check(each)))) {
      if (state !== 'waiting' || id === undefined) continue;
      const detail = [hook.command, describeSandboxEntry(hook.sandbox)].filter(Boolean).join(' · ');
      waiting.set(id, { kind: 'hook', name: hook.event, detail, path: hook.file });
    }
    this.consent.setWaiting(this, waiting);
  }

  /** Checks exactly the content that the id covers. */
  private async check(hook: Hook): Promise<CheckedHook> {
    if (hook.origin === 'person') return { hook, state: 'enabled' };
    // Without trust not even scripts are read. Trust may have been revoked meanwhile.
    if (!this.consent.isTrusted) return { hook, state: 'waiting' };
    const id = await this.fingerprint(hook);
    return { hook, id, state: await this.consent.stateOf(id) };
  }

  /** Covers everything that determines what runs and when. */
  private async fingerprint({ event, matcher, command, env, file, sandbox }: Hook): Promise<string> {
    const scripts = await this.ports.files.digest(command);
    const variables = Object.entries(env).sort();
    const whole: unknown[] = [event, matcher ?? null, command, variables, file, scripts];
    if (sandbox) whole.push(sandbox);
    return fingerprintOf('hook', JSON.stringify(whole));
  }

  private reportOnce(sentence: string, notify = this.ports.notify): void {
    if (this.reported.has(sentence)) return;
    this.reported.add(sentence);
    notify(sentence);
  }
}

function rulesOver(file: HookFile, hook: Hook): boolean {
  if (file.isExtension) return hook.file === file.path;
  return file.origin === 'person' || hook.origin === 'workspace';
}

function isSwitchedOff(hook: Hook, { config, file }: ParsedHooks & { readonly file: HookFile }): boolean {
  // Another program's switch applies only to hooks in its own file.
  const isOff = !config.enabled && (file.dialect === 'gemini' || hook.file === file.path);
  return isOff || config.disabled.includes(hook.name) || config.disabled.includes(hook.command);
}
