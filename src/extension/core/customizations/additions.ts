import { readSkills, type Skill } from '../skills/skills.ts';
import { Book } from './book.ts';
import { type CustomizationPorts, Customizations } from './customizations.ts';

/** What is added to Folio, ready to be used; lives as long as the window. */
export class Additions {
  readonly all: Customizations;
  readonly skills: Book<Skill>;

  constructor(ports: CustomizationPorts) {
    this.all = new Customizations(ports);
    this.skills = new Book(() => this.all.of('skill'), readSkills);
  }

  /** Reads what has changed; called when a turn begins. Never rejects. */
  async refresh(): Promise<void> {
    await this.all.refresh();
    await this.skills.refresh();
  }

  /** A sentence about each thing that cannot be used. */
  get problems(): readonly string[] {
    return [...this.all.problems, ...this.skills.problems];
  }
}
