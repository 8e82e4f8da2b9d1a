import type { AgentKind } from '../agents/agentKind.ts';
import { readAgents } from '../agents/readAgents.ts';
import { type CustomCommand, readCustomCommands } from '../commands/custom/customCommand.ts';
import { readSkills, type Skill } from '../skills/skills.ts';
import { Book } from './book.ts';
import { type CustomizationPorts, Customizations } from './customizations.ts';

/** What is added to Folio, ready to be used; lives as long as the window. */
export class Additions {
  readonly all: Customizations;
  readonly skills: Book<Skill>;
  readonly commands: Book<CustomCommand>;
  readonly agents: Book<AgentKind>;

  constructor(ports: CustomizationPorts) {
    this.all = new Customizations(ports);
    this.skills = new Book(() => this.all.of('skill'), readSkills);
    this.commands = new Book(() => this.all.of('command'), readCustomCommands);
    this.agents = new Book(() => this.all.of('agent'), readAgents);
  }

  /** Reads what has changed; called when a turn begins. Never rejects. */
  async refresh(): Promise<void> {
    await this.all.refresh();
    await Promise.all([this.skills.refresh(), this.commands.refresh(), this.agents.refresh()]);
  }

  /** A sentence about each thing that cannot be used. */
  get problems(): readonly string[] {
    const { all, skills, commands, agents } = this;
    return [all, skills, commands, agents].flatMap(({ problems }) => problems);
  }
}
