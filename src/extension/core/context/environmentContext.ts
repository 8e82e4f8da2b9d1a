import type { Mention } from '../../../protocol/mentions.ts';
import type { ActiveFile, Editor, EditorContext } from '../../platform/editor.ts';
import type { IdeContext } from './ideContext.ts';
import type { SessionMemory } from './sessionMemory.ts';

/** The list of the workspace's files, added once until `reset`. */
interface TreeText {
  /** Returns `undefined` if there is nothing to add. Never rejects for unreadable files. */
  next(signal: AbortSignal): Promise<string | undefined>;
  describe(signal: AbortSignal): Promise<string | undefined>;
  reset(): void;
}

interface Source {
  /** Returns `undefined` if there is nothing to add. Must not reject. */
  next(): Promise<string | undefined> | string | undefined;
  /** Called when the history lost earlier additions. Absent: the source tracks the history itself. */
  forget?(): void;
}

/** Describes the workspace, the editor and folders for the model, without repeating anything. */
export class EnvironmentContext {
  /** Instruction files, including those of folders that the agent works in. */
  readonly memory: SessionMemory;
  private readonly editor: Pick<Editor, 'readContext'>;
  private readonly shown: IdeContext;
  private readonly tree: TreeText;
  private readonly added: Source[] = [];
  /** Active files by queued prompt. Not recorded: after a reload, a waiting prompt brings no selection. */
  private readonly kept = new Map<string, ActiveFile | undefined>();

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

  /** Keeps the selection for a prompt that waits. What is selected later was not chosen for it. */
  keepSelection(queuedAs: string): void {
    this.kept.set(queuedAs, this.editor.readContext().active);
  }

  /**
   * Returns new facts about workspace and editor. Never rejects.
   * @param queuedAs id of the prompt if it waited
   */
  async next(signal: AbortSignal, queuedAs?: string): Promise<readonly string[]> {
    const workspace = await this.tree.next(signal);
    const context = this.editor.readContext();
    const shown = this.shown.next(
      queuedAs === undefined ? context : withSelection(context, this.kept.get(queuedAs)),
    );
    if (queuedAs !== undefined) this.kept.delete(queuedAs);
    const added = await Promise.all(this.added.map(source => source.next()));
    return [workspace, shown, ...added].filter(text => text !== undefined);
  }

  /** The selected lines in the editor that the model knows. */
  get selection(): Mention | undefined {
    return this.shown.selection;
  }

  /** Describes the workspace for a subagent. Never rejects. */
  async forAgent(signal: AbortSignal): Promise<string | undefined> {
    return await this.tree.describe(signal);
  }

  /** Starts over after the history lost earlier texts. */
  forget(): void {
    this.shown.reset();
    this.tree.reset();
    this.memory.forget();
    for (const source of this.added) source.forget?.();
  }
}

/** Replaces the present selection by that of an earlier active file. */
function withSelection(
  { active, open, ...rest }: EditorContext,
  kept: ActiveFile | undefined,
): EditorContext {
  if (kept?.selection === undefined)
    return { ...rest, open, active: active && { path: active.path, cursor: active.cursor } };
  const others = active === undefined ? open : [active.path, ...open];
  return { ...rest, open: others.filter(path => path !== kept.path), active: kept };
}
