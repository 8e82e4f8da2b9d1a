/*
 * All that is added to Folio, and what of it counts: the person's own and their extensions' always, a workspace's once
 * it is trusted and the person has let it as it is. Like hooks, what changed since is something not seen.
 */

import { isAbsolute, join } from 'node:path';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import { type CustomFile, type CustomFiles, extensionOf } from '../../platform/customFiles.ts';
import type { SeenItems } from '../../platform/seenItems.ts';
import { type Customization, fingerprintOf } from './customization.ts';
import { offByList } from './offByList.ts';
import { type SplitFiles, splitFiles } from './splitFiles.ts';

export interface CustomizationPorts {
  readonly files: CustomFiles;
  readonly seen: SeenItems;
  readonly trusted: () => boolean;
  /** Names of extensions and single things that the person switched off here. */
  readonly disabled: () => readonly string[];
}

export type CustomizationState = 'enabled' | 'waiting' | 'refused' | 'disabled';

export interface ListedCustomization {
  readonly item: Customization;
  /** `waiting`: the person has not decided on it. */
  readonly state: CustomizationState;
}

export class Customizations {
  private readonly ports: CustomizationPorts;
  private readonly changed = new Emitter<void>();
  private listed: readonly ListedCustomization[] = [];
  private waiting: ReadonlyMap<string, Customization> = new Map();
  private readonly reopened = new Set<string>();
  private problemList: readonly string[] = [];
  private agentsByFiles: ReadonlySet<string> = new Set();
  /** What the files of the last reading hold. */
  private parts: ReadonlyMap<CustomFile, SplitFiles> = new Map();
  /** What waited, and the problems, as of the last reading; undefined: there was none. */
  private told: string | undefined;
  /** Reading happens one after the other; the newest wins. */
  private reading: Promise<void> = Promise.resolve();

  /** Something counts that did not, or the other way round, or has changed. */
  readonly onDidChange = this.changed.event;

  constructor(ports: CustomizationPorts) {
    this.ports = ports;
  }

  /** What counts, the least important first: of two with one name the later one was meant to win. */
  of(kind: Customization['kind']): readonly Customization[] {
    return this.listed.flatMap(({ item, state }) =>
      state === 'enabled' && item.kind === kind ? [item] : [],
    );
  }

  /** Everything that is there, with whether it counts. */
  get list(): readonly ListedCustomization[] {
    return this.listed;
  }

  /** Names of agents that settings files switch off, those of Folio among them. */
  get agentsOff(): ReadonlySet<string> {
    return this.agentsByFiles;
  }

  /** What the person has to decide on, by fingerprint. */
  get unseen(): ReadonlyMap<string, Customization> {
    return this.waiting;
  }

  /** A sentence about each thing that cannot be used. */
  get problems(): readonly string[] {
    return this.problemList;
  }

  /** Reads the files anew. Never rejects. */
  refresh(): Promise<void> {
    this.reading = this.reading
      .then(() => this.read())
      .catch((error: unknown) => {
        this.problemList = [`What is added to Folio could not be read: ${messageOf(error)}`];
      });
    return this.reading;
  }

  /** @param shown fingerprints of what the person saw: what began to wait meanwhile still waits. Absent: all */
  async decide(decision: 'allowed' | 'refused', shown?: readonly string[]): Promise<void> {
    const meant = [...this.waiting.keys()].filter(each => shown?.includes(each) ?? true);
    await this.ports.seen.markSeen(decision === 'allowed' ? meant : meant.map(refusalOf));
    for (const each of meant) this.reopened.delete(each);
    await this.refresh();
  }

  /** What the person refused waits for them again: they want to decide anew. */
  async reopen(isMeant: (item: Customization) => boolean = () => true): Promise<void> {
    for (const { item, state } of this.listed) {
      if (state === 'refused' && isMeant(item)) this.reopened.add(await this.fingerprint(item));
    }
    await this.refresh();
  }

  private async read(): Promise<void> {
    const { files, trusted } = this.ports;
    const read = await files.read(trusted());
    const parts = read.map(file => this.split(file));
    this.parts = new Map(read.map((file, index) => [file, parts[index]!]));
    this.problemList = [...read.flatMap(problemOf), ...parts.flatMap(({ problems }) => problems)];
    const off = offByList(read);
    this.agentsByFiles = off.agents;
    const waiting = new Map<string, Customization>();
    const before = this.listed;
    this.listed = await Promise.all(
      parts
        .flatMap(({ items }) => items)
        .map(async item => ({ item, state: off.has(item) ? 'disabled' : await this.stateOf(item, waiting) })),
    );
    this.waiting = waiting;
    const rest = JSON.stringify([[...waiting.keys()], this.problemList]);
    if (rest === this.told && isSame(before, this.listed)) return;
    this.told = rest;
    this.changed.fire();
  }

  /** A file that is the same object has not changed, and its things stay the same objects. */
  private split(file: CustomFile): SplitFiles {
    return this.parts.get(file) ?? splitFiles([file]);
  }

  private async stateOf(
    item: Customization,
    waiting: Map<string, Customization>,
  ): Promise<CustomizationState> {
    const { disabled, seen, trusted } = this.ports;
    const extension = extensionOf(item.origin);
    if (extension?.isOff) return 'disabled';
    const names = [item.name, extension?.name];
    if (names.some(name => name !== undefined && disabled().includes(name))) return 'disabled';
    if (item.origin.kind !== 'workspace') return 'enabled';
    if (!trusted()) return 'waiting';
    const fingerprint = await this.fingerprint(item);
    if (await seen.isSeen(fingerprint)) return 'enabled';
    const isRefused = !this.reopened.has(fingerprint) && (await seen.isSeen(refusalOf(fingerprint)));
    if (isRefused) return 'refused';
    waiting.set(fingerprint, item);
    return 'waiting';
  }

  private async fingerprint(item: Customization): Promise<string> {
    const run = programOf(item);
    const scripts = run === undefined ? '' : await this.ports.files.digest(run.command, run.cwd);
    return fingerprintOf(item, scripts);
  }
}

/** As it would run: a server of an extension runs in the folder of that, and may name it. */
function programOf({ command, cwd, origin }: Customization): Program | undefined {
  const folder = extensionOf(origin)?.folder;
  if (command === undefined || folder === undefined)
    return command === undefined ? undefined : { command, cwd };
  const inFolder = (text: string) =>
    text.replace(/\$\{(?:extensionPath|CLAUDE_PLUGIN_ROOT)\}/g, () => folder);
  const named = inFolder(cwd ?? folder);
  const isWhole = isAbsolute(named) || named.startsWith('$');
  return { command: inFolder(command), cwd: isWhole ? named : join(folder, named) };
}

interface Program {
  readonly command: string;
  readonly cwd: string | undefined;
}

function refusalOf(fingerprint: string): string {
  return `refused-${fingerprint}`;
}

function isSame(one: readonly ListedCustomization[], other: readonly ListedCustomization[]): boolean {
  if (one.length !== other.length) return false;
  const differs = one.filter(({ item, state }, index) => {
    const { item: newer, state: now } = other[index]!;
    return state !== now || (item !== newer && JSON.stringify(item) !== JSON.stringify(newer));
  });
  return differs.length === 0;
}

function problemOf({ problem }: CustomFile): readonly string[] {
  return problem === undefined ? [] : [problem];
}
