import type { DisabledItems } from '../../platform/customizations/disabledItems.ts';
import type { ExtensionValues } from '../../platform/customizations/extensions.ts';
import type { SettingValues } from '../../platform/settings.ts';
import type { AgentDefinition } from '../agents/agentDefinition.ts';
import { readAgents, withBuiltIn } from '../agents/readAgents.ts';
import type { CustomCommand } from '../commands/custom/customCommand.ts';
import { readCustomCommands } from '../commands/custom/readCustomCommands.ts';
import type { ConsentReviewer } from '../consent/consentService.ts';
import { type ExtensionServerValues, Extensions } from '../extensions/extensions.ts';
import { readSkills, type Skill } from '../skills/skills.ts';
import { type CustomizationPorts, Customizations, type ListedCustomization } from './customizations.ts';
import { ParsedCustomizations } from './files/parsedCustomizations.ts';
import { readWorkspaceSettings } from './files/workspaceSettings.ts';

interface AdditionPorts extends CustomizationPorts {
  /** Values that the user set for extensions; absent: none can be set. */
  readonly extensionValues?: ExtensionValues;
  /** Source of `disabled`; absent: nothing can be switched here. */
  readonly switches?: DisabledItems;
}

type ListedServer = ListedCustomization & ExtensionServerValues;

/** All customizations, parsed and ready for use. Lives as long as the window. */
export class LoadedCustomizations implements ConsentReviewer {
  readonly all: Customizations;
  readonly extensions: Extensions;
  readonly skills: ParsedCustomizations<Skill>;
  readonly commands: ParsedCustomizations<CustomCommand>;
  readonly agents: ParsedCustomizations<AgentDefinition>;
  private readonly switches: DisabledItems | undefined;
  private readonly disabled: () => readonly string[];

  constructor(ports: AdditionPorts) {
    this.switches = ports.switches;
    this.disabled = ports.disabled;
    this.all = new Customizations(ports);
    this.extensions = new Extensions(() => this.all.of('extension'), ports.extensionValues);
    this.skills = new ParsedCustomizations(() => this.all.of('skill'), readSkills);
    this.commands = new ParsedCustomizations(() => this.all.of('command'), readCustomCommands);
    this.agents = new ParsedCustomizations(() => this.all.of('agent'), readAgents);
    // Joins after `all`, whose items these parse.
    ports.consent.join(this);
  }

  /** Reads changes at the start of a turn. Never rejects. */
  async refresh(): Promise<void> {
    await this.all.refresh();
    await this.review();
  }

  /** Updates everything that depends on the enabled items of `all`. */
  async review(): Promise<void> {
    await Promise.all([this.extensions, this.skills, this.commands, this.agents].map(each => each.refresh()));
  }

  /** Subagents by name, built-in ones first, without disabled ones. */
  get agentDefinitions(): ReadonlyMap<string, AgentDefinition> {
    const off = new Set([...this.disabled(), ...this.all.agentsOff]);
    const { agentOverrides } = this.all;
    const kinds = [...withBuiltIn(this.agents.entries)].filter(([name]) => !off.has(name));
    return new Map(kinds.map(([name, kind]) => [name, { ...kind, ...agentOverrides.get(name) }]));
  }

  /** Names of things and extensions that the user disabled here. */
  get switchedOff(): readonly string[] {
    return this.switches?.listDisabled() ?? [];
  }

  /** Rejects if saving fails. @param names of things or extensions */
  async switch(names: readonly string[], to: 'on' | 'off'): Promise<void> {
    if (!this.switches) throw new Error('Nothing can be switched off here.');
    await this.switches.set(names, to);
    await this.refresh();
  }

  /** Returns all configured servers. Never rejects. */
  async readServers(): Promise<readonly ListedServer[]> {
    // A server gets the user's values from its first start on.
    await this.extensions.refresh();
    return this.all.list
      .filter(({ item }) => item.kind === 'server')
      .map(each => ({ ...each, ...this.extensions.givenTo(each.item.origin) }));
  }

  /** Enabled settings from the workspace's settings file. */
  get settings(): Partial<SettingValues> {
    return readWorkspaceSettings(this.all.of('settings'));
  }

  /** One sentence for each thing that cannot be used. */
  get problems(): readonly string[] {
    const { all, extensions, skills, commands, agents } = this;
    const ofFiles = [all, extensions, skills, commands, agents].flatMap(({ problems }) => problems);
    return [...this.ignored, ...ofFiles];
  }

  /** One sentence for each ignored attempt to disable something. */
  get ignored(): readonly string[] {
    return this.switches?.problems() ?? [];
  }
}
