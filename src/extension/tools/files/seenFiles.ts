import { t } from '../../../protocol/language.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import { ToolFailure } from '../../core/tool.ts';
import { fileDiff } from '../../review/fileDiff.ts';
import { diffLines } from './diffLines.ts';

/** UTF-16 units in all. Files that were seen longest ago are forgotten beyond that. */
const limit = 32_000_000;
/** Changed lines and those around them that a refusal shows. */
const maxShownLines = 100;

/**
 * The text of each file as the model last saw it, whole or in part. A tool that writes a whole file asks here first: a
 * user, a hook or a formatter may have changed the file since, and the model cannot know.
 */
export class SeenFiles {
  /** By absolute real path, the newest last. */
  private readonly texts = new Map<string, string>();
  private size = 0;

  /** `undefined`: the model has not seen this file. */
  textOf(path: string): string | undefined {
    return this.texts.get(path);
  }

  /** The model was shown this file. */
  note(path: string, text: string): void {
    this.forget(path);
    this.texts.set(path, text);
    this.size += text.length;
    for (const oldest of this.texts.keys()) {
      if (this.size <= limit) break;
      this.forget(oldest);
    }
  }

  /** The model changed a file. It knows the result if it knew what the change was made to. */
  changed(path: string, before: string | null, after: string): void {
    const known = this.texts.get(path) ?? null;
    if (known === before) this.note(path, after);
  }

  /**
   * @throws `ToolFailure` with what changed, if the file is another than the model last saw.
   * The model has seen the file then, so that its next call can be right.
   */
  async refuseChanged(
    { path, before }: { readonly path: string; readonly before: string | null },
    paths: WorkspacePaths,
  ): Promise<void> {
    const known = this.texts.get(path);
    if (known === undefined || known === before) return;
    const shown = await paths.show(path);
    this.forget(path);
    if (before === null) {
      throw new ToolFailure(
        `${shown} was deleted since you read it, so nothing was written. Write it again if it shall come back.`,
        () => t('Deleted since it was read'),
      );
    }
    const diff = fileDiff(shown, known, before, { maxLines: maxShownLines });
    if (diff.hiddenLines === 0) this.note(path, before);
    else this.note(path, known);
    const more = diff.hiddenLines > 0 ? `\nThis is not all: read ${shown} again.` : '';
    throw new ToolFailure(
      `${shown} changed since you read it, so nothing was written. Keep these changes of others (- as you saw it, + as it is now):\n${diffLines(diff).join('\n')}${more}`,
      () => t('Changed since it was read'),
    );
  }

  /** The model's history is another now, and so is what it saw. */
  clear(): void {
    this.texts.clear();
    this.size = 0;
  }

  private forget(path: string): void {
    this.size -= this.texts.get(path)?.length ?? 0;
    this.texts.delete(path);
  }
}
