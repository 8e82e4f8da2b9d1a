import type { Mention } from '../../../protocol/mentions.ts';
import type { Editor } from '../../platform/editor.ts';
import type { IdeContext } from './ideContext.ts';
import type { SessionMemory } from './sessionMemory.ts';

/** The workspace's files as text, told once until it is forgotten. */
interface TreeText {
  /** `undefined` when there is nothing to tell. Never rejects for what cannot be read. */
  next(signal: AbortSignal): Promise<string | undefined>;
  describe(signal: AbortSignal): Promise<string | undefined>;
  reset(): void;
}

interface Source {
  /** `undefined` when there is nothing to tell. Must not reject. */
  next(): Promise<string | undefined> | string | undefined;
  /** The history lost what was told. Absent: the source follows the history itself. */
  forget?(): void;
}

/** Tells a session about its workspace, editor and folders, beside the conversation itself; nothing twice. */
export class Briefing {
  /** Memory files, those of the folders that the agent works in too. */
  readonly memory: SessionMemory;
  private readonly editor: Pick<Editor, 'readContext'>;
  private readonly shown: IdeContext;
  private readonly tree: TreeText;
  private readonly added: Source[] = [];

  constructor(editor: Pick<Editor, 'readContext'>, shown: IdeContext, tree: TreeText, memory: SessionMemory) {
    this.editor = editor;
    this.shown = shown;
    this.tree = tree;
    this.memory = memory;
  }

  /** @param source of further context */
  add(source: Source): this {
    this.added.push(source);
    return this;
  }

  /** Describes the workspace and the editor for the model, without what it was told already. Never rejects. */
  async next(signal: AbortSignal): Promise<readonly string[]> {
    const workspace = await this.tree.next(signal);
    const shown = this.shown.next(this.editor.readContext());
    const added = await Promise.all(this.added.map(source => source.next()));
    return [workspace, shown, ...added].filter(text => text !== undefined);
  }

  /** The lines in the editor that the model knows to be selected. */
  get selection(): Mention | undefined {
    return this.shown.selection;
  }

  /** Describes the workspace for an agent that is sent out. Never rejects. */
  async forAgent(signal: AbortSignal): Promise<string | undefined> {
    return await this.tree.describe(signal);
  }

  /** The history lost what was told: the next text is whole again. */
  forget(): void {
    this.shown.reset();
    this.tree.reset();
    this.memory.forget();
    for (const source of this.added) source.forget?.();
  }
}
