import { join } from 'node:path';
import type { ApprovalMode } from '../../../protocol/intentions.ts';
import { t } from '../../../protocol/language.ts';
import { headOf } from '../../base/text.ts';
import { FileError, type FileSystem, ifReadable, utf8Format } from '../../platform/fileSystem.ts';
import type { Transcript } from '../recording/transcript.ts';
import { ToolFailure } from '../tool.ts';
import {
  type DecidedPlan,
  describeApproval,
  describeSentBack,
  isPlanEdited,
  planLimit,
} from './approvedPlan.ts';

/** A plan that waits for the user in its own file. */
interface WrittenPlan {
  /** Absolute. */
  readonly path: string;
  /** Initial content of the file. */
  readonly text: string;
}

/** The plans of one session. Each presentation uses a new file, so that the user's edits are never overwritten. */
export interface Plans {
  /** Throws `ToolFailure` if it is too long or cannot be written. */
  write(title: string, plan: string): Promise<WrittenPlan>;
  /**
   * Resolves with the text for the model. Throws `ToolFailure` without approving if the file contains no plan any more.
   */
  approve(plan: WrittenPlan, mode: ApprovalMode): Promise<PlanApproval>;
  /** Resolves with the text for the model. */
  sendBack(plan: WrittenPlan, said: string | undefined): Promise<string>;
}

interface PlanApproval {
  readonly text: string;
  /** The user changed it. */
  readonly changed: boolean;
}

/** Files as the user sees them, with unsaved text. */
type PlanFiles = Pick<FileSystem, 'list' | 'readText' | 'writeText'>;

/** @param folder absolute */
export function sessionPlans(
  files: PlanFiles,
  folder: () => string,
  transcript: Pick<Transcript, 'state' | 'emit'>,
): Plans {
  const { emit } = transcript;
  const decided = (path: string, approved: boolean) => emit({ type: 'plan.decided', path, approved });
  return {
    write: async (title, plan) => {
      const text = withTitle(title, plan);
      if (text.length > planLimit) {
        throw new ToolFailure(
          `The plan has ${text.length} characters, and at most ${planLimit} can be presented. Say it shorter.`,
          () => t('The plan is too long'),
        );
      }
      const path = await writeNew(files, folder(), title, text);
      emit({ type: 'plan.written', path, title });
      return { path, text };
    },
    approve: async (plan, mode) => {
      const present = await readPlan(files, plan.path);
      if (present.trim() === '') {
        decided(plan.path, false);
        throw new ToolFailure(
          'The user approved the plan, but its file is empty or gone. Plan mode stays on: present the plan again.',
          () => t('The file of the plan is empty'),
        );
      }
      decided(plan.path, true);
      const read: DecidedPlan = { path: plan.path, written: plan.text, present };
      return { text: describeApproval(read, mode), changed: isPlanEdited(read) };
    },
    sendBack: async (plan, said) => {
      const present = await readPlan(files, plan.path);
      decided(plan.path, false);
      // If the file is gone, the original plan counts.
      const read = {
        path: plan.path,
        written: plan.text,
        present: present.trim() === '' ? plan.text : present,
      };
      return describeSentBack(read, said, transcript.state.mode);
    },
  };
}

function withTitle(title: string, plan: string): string {
  const text = plan.replaceAll('\r\n', '\n').trim();
  return /^# /.test(text) ? `${text}\n` : `# ${title}\n\n${text}\n`;
}

async function writeNew(files: PlanFiles, folder: string, title: string, text: string): Promise<string> {
  try {
    const path = join(folder, `${(await newestNumber(files, folder)) + 1}-${slugOf(title)}.md`);
    await files.writeText(path, text, utf8Format, null);
    return path;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new ToolFailure(`The plan could not be written: ${error.english}`, () =>
      t('The plan could not be written'),
    );
  }
}

/** Returns the highest number of a file there; 0 if there is none. */
async function newestNumber(files: PlanFiles, folder: string): Promise<number> {
  try {
    const entries = await files.list(folder);
    return Math.max(0, ...entries.map(({ name }) => Number.parseInt(name, 10) || 0));
  } catch (error) {
    if (error instanceof FileError && error.kind === 'notFound') return 0;
    throw error;
  }
}

/** Returns an empty text if the file cannot be read. */
async function readPlan(files: PlanFiles, path: string): Promise<string> {
  return (await ifReadable(files.readText(path)))?.text ?? '';
}

function slugOf(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return headOf(words.join('-'), 40).replace(/-+$/, '') || 'plan';
}
