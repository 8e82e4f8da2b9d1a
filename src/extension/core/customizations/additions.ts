import type { DisabledItems } from '../../platform/customizations/disabledItems.ts';
import type { ExtensionValues } from '../../platform/customizations/extensions.ts';
import type { SettingValues } from '../../platform/settings.ts';
import type { AgentKind } from '../agents/agentKind.ts';
import { readAgents, withBuiltIn } from '../agents/readAgents.ts';
import type { CustomCommand } from '../commands/custom/customCommand.ts';
import { readCustomCommands } from '../commands/custom/readCustomCommands.ts';
import type { ConsentRoom } from '../consent/consent.ts';
import { Extensions, type Given } from '../extensions/extensions.ts';
import { readSkills, type Skill } from '../skills/skills.ts';
import { type CustomizationPorts, Customizations, type ListedCustomization } from './customizations.ts';
import { Book } from './files/book.ts';
import { readWorkspaceSettings } from './files/workspaceSettings.ts';

interface AdditionPorts extends CustomizationPorts {
  /** The values that the user set for their extensions; absent: nothing can be set. */
  readonly extensionValues?: ExtensionValues;
  /** Where `disabled` is from; absent: nothing can be switched here. */
  readonly switches?: DisabledItems;
}

/** A server as it is configured, with what goes along with it. */
type ListedServer = ListedCustomization & Given;

/** Everything added to Folio, ready for use; lives as long as the window. */
export class Additions implements ConsentRoom {
  readonly all: Customizations;
  readonly extensions: Extensions;
  readonly skills: Book<Skill>;
  readonly commands: Book<CustomCommand>;
  readonly agents: Book<AgentKind>;
  private readonly switches: DisabledItems | undefined;
  private readonly disabled: () => readonly string[];

  constructor(ports: AdditionPorts) {
    this.switches = ports.switches;
    this.disabled = ports.disabled;
    this.all = new Customizations(ports);
    this.extensions = new Extensions(() => this.all.of('extension'), ports.extensionValues);
    this.skills = new Book(() => this.all.of('skill'), readSkills);
    this.commands = new Book(() => this.all.of('command'), readCustomCommands);
    this.agents = new Book(() => this.all.of('agent'), readAgents);
    // After `all`, whose things these make something of.
    ports.consent.join(this);
  }

  /** Reads what has changed; called when a turn begins. Never rejects. */
  async refresh(): Promise<void> {
    await this.all.refresh();
    await this.review();
  }

  /** Makes again what counts of `all`. */
  async review(): Promise<void> {
    await Promise.all([this.extensions, this.skills, this.commands, this.agents].map(each => each.refresh()));
  }

  /** Agents that can be sent out, by name: Folio's first, without those that are switched off. */
  get agentKinds(): ReadonlyMap<string, AgentKind> {
    const off = new Set([...this.disabled(), ...this.all.agentsOff]);
    const { agentOverrides } = this.all;
    const kinds = [...withBuiltIn(this.agents.entries)].filter(([name]) => !off.has(name));
    return new Map(kinds.map(([name, kind]) => [name, { ...kind, ...agentOverrides.get(name) }]));
  }

  /** Names of things and extensions that the user switched off here. */
  get switchedOff(): readonly string[] {
    return this.switches?.off() ?? [];
  }

  /** Rejects when it cannot be kept. @param names of things or extensions */
  async switch(names: readonly string[], to: 'on' | 'off'): Promise<void> {
    if (!this.switches) throw new Error('Nothing can be switched off here.');
    await this.switches.set(names, to);
    await this.refresh();
  }

  /** All servers that are configured. Never rejects. */
  async readServers(): Promise<readonly ListedServer[]> {
    // A server gets the user's values from its first start on.
    await this.extensions.refresh();
    return this.all.list
      .filter(({ item }) => item.kind === 'server')
      .map(each => ({ ...each, ...this.extensions.givenTo(each.item.origin) }));
  }

  /** Values of the workspace's settings file that count now. */
  get settings(): Partial<SettingValues> {
    return readWorkspaceSettings(this.all.of('settings'));
  }

  /** A sentence about each thing that cannot be used. */
  get problems(): readonly string[] {
    const { all, extensions, skills, commands, agents } = this;
    const ofFiles = [all, extensions, skills, commands, agents].flatMap(({ problems }) => problems);
    return [...this.ignored, ...ofFiles];
  }

  /** A sentence about what tries to switch off and has no say. */
  get ignored(): readonly string[] {
    return this.switches?.problems() ?? [];
  }
}
