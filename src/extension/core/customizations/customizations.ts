/*
 * All customizations and their state: those of the user and of extensions are enabled, those of a workspace need
 * consent.
 */

import { isAbsolute, join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import { type CustomFile, type CustomFiles, extensionOf } from '../../platform/customizations/customFiles.ts';
import { readModelAliases } from '../../platform/settingFiles/modelAliases.ts';
import { type AgentOverrides, readAgentOverridesFromSettings } from '../agents/agentOverrides.ts';
import type {
  ConsentItem,
  ConsentReviewer,
  ConsentService,
  ConsentState,
} from '../consent/consentService.ts';
import { readDisabledNames } from './disabledNames.ts';
import { type Customization, fingerprintOfItem } from './files/customization.ts';
import { type SplitCustomizations, splitIntoCustomizations } from './files/splitIntoCustomizations.ts';

export interface CustomizationPorts {
  readonly files: CustomFiles;
  readonly consent: ConsentService;
  /** Names of extensions and single things that the user disabled here. */
  readonly disabled: () => readonly string[];
}

export type CustomizationState = ConsentState | 'disabled';

export interface ListedCustomization {
  readonly item: Customization;
  /** Fingerprint of a workspace's thing in its current form; absent without trust. */
  readonly id?: string;
  /** `waiting`: the user has not decided. */
  readonly state: CustomizationState;
}

export class Customizations implements ConsentReviewer {
  readonly consent: ConsentService;
  private readonly ports: CustomizationPorts;
  private readonly changed = new Emitter<void>();
  private listed: readonly ListedCustomization[] = [];
  private problemList: readonly string[] = [];
  private agentsByFiles: ReadonlySet<string> = new Set();
  private overrides: AgentOverrides = { byName: new Map(), problems: [] };
  /** Contents of each file at the last reading. */
  private parts: ReadonlyMap<CustomFile, SplitCustomizations> = new Map();
  /** Problems at the last reading; undefined before the first. */
  private reported: string | undefined;
  /** Readings run one after another; the latest wins. */
  private reading: Promise<void> = Promise.resolve();

  /** Fires when something was enabled, disabled or changed. */
  readonly onDidChange = this.changed.event;

  constructor(ports: CustomizationPorts) {
    this.ports = ports;
    this.consent = ports.consent;
    this.consent.join(this);
  }

  /** Enabled customizations of one kind, the least important first: for duplicate names, the later wins. */
  of(kind: Customization['kind']): readonly Customization[] {
    return this.listed.flatMap(({ item, state }) =>
      state === 'enabled' && item.kind === kind ? [item] : [],
    );
  }

  /** Rereads the files and tells whether the workspace still defines this server with the user's consent. */
  async stillBringsServer(name: string): Promise<boolean> {
    await this.refresh();
    return this.of('server').some(item => item.name === name && item.origin.kind === 'workspace');
  }

  get list(): readonly ListedCustomization[] {
    return this.listed;
  }

  /** Names of agents that settings files disable, including built-in ones. */
  get agentsOff(): ReadonlySet<string> {
    return this.agentsByFiles;
  }

  /** Limits and models that settings files assign to single agents. */
  get agentOverrides(): AgentOverrides['byName'] {
    return this.overrides.byName;
  }

  /** One sentence for each thing that cannot be used. */
  get problems(): readonly string[] {
    return this.problemList;
  }

  /** Rereads the files. Never rejects. */
  refresh(): Promise<void> {
    this.reading = this.reading
      .then(() => this.read())
      .catch((error: unknown) => {
        this.problemList = [t('Customizations could not be read: {0}', messageOf(error))];
      });
    return this.reading;
  }

  review(): Promise<void> {
    return this.refresh();
  }

  private async read(): Promise<void> {
    const read = await this.ports.files.read(this.consent.isTrusted);
    const parts = read.map(file => this.split(file));
    this.parts = new Map(read.map((file, index) => [file, parts[index]!]));
    this.overrides = readAgentOverridesFromSettings(read);
    const { problems: ofAgents } = this.overrides;
    this.problemList = [
      ...read.flatMap(problemOf),
      ...parts.flatMap(({ problems }) => problems),
      ...ofAgents,
      ...describeAliases(read),
    ];
    const off = readDisabledNames(read);
    this.agentsByFiles = off.agents;
    const before = this.listed;
    this.listed = await Promise.all(
      parts
        .flatMap(({ items }) => items)
        .map(async item => ((await off.has(item)) ? { item, state: 'disabled' as const } : this.check(item))),
    );
    this.reportWaiting();
    const rest = JSON.stringify(this.problemList);
    if (rest === this.reported && isSame(before, this.listed)) return;
    this.reported = rest;
    this.changed.fire();
  }

  /** An unchanged file is the same object, and so are its things. */
  private split(file: CustomFile): SplitCustomizations {
    return this.parts.get(file) ?? splitIntoCustomizations([file]);
  }

  private async check(item: Customization): Promise<ListedCustomization> {
    const extension = extensionOf(item.origin);
    const names = [item.name, extension?.name];
    const off = this.ports.disabled();
    const isOff = extension?.isOff || names.some(name => name !== undefined && off.includes(name));
    if (isOff) return { item, state: 'disabled' };
    if (item.origin.kind !== 'workspace') return { item, state: 'enabled' };
    if (!this.consent.isTrusted) return { item, state: 'waiting' };
    const id = await this.fingerprint(item);
    return { item, id, state: await this.consent.stateOf(id) };
  }

  private reportWaiting(): void {
    const waiting = new Map<string, ConsentItem>();
    for (const { item, id, state } of this.listed)
      if (id !== undefined && state === 'waiting') waiting.set(id, item);
    this.consent.setWaiting(this, waiting);
  }

  private async fingerprint(item: Customization): Promise<string> {
    const run = programOf(item);
    const scripts = run === undefined ? '' : await this.ports.files.digest(run.command, run.cwd);
    return fingerprintOfItem(item, scripts);
  }
}

/** Resolves the program as it would run: servers of an extension run in its folder and may refer to it. */
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

function isSame(one: readonly ListedCustomization[], other: readonly ListedCustomization[]): boolean {
  if (one.length !== other.length) return false;
  const differs = one.filter(({ item, id, state }, index) => {
    const { item: newer, id: newId, state: now } = other[index]!;
    return (
      id !== newId || state !== now || (item !== newer && JSON.stringify(item) !== JSON.stringify(newer))
    );
  });
  return differs.length === 0;
}

function problemOf({ problem }: CustomFile): readonly string[] {
  return problem === undefined ? [] : [problem];
}

/* Aliases of models in settings files, as far as they have no effect. */

/** Describes model aliases without effect. A workspace's aliases are reported elsewhere, like settings of the user. */
function describeAliases(files: readonly CustomFile[]): readonly string[] {
  return files.flatMap(({ kind, problem, origin, path, content }) => {
    if (kind !== 'settings' || problem !== undefined || origin.kind === 'workspace') return [];
    const { ignored, circular } = readModelAliases(content);
    return [
      ...ignored.map(key =>
        t(
          '{0}: {1} is ignored, because an alias only names a model. Use /effort to set how hard it thinks.',
          path,
          key,
        ),
      ),
      ...circular.map(name => t('{0}: the alias {1} is ignored, because it extends itself.', path, name)),
    ];
  });
}
